// The schemas of the API's answers. The fields of a job are defined in DrayWire, and a test compares the two
// definitions.

internal import DrayCore

enum APIShapes {
  static let all: KeyValuePairs<String, APISchema> = [
    "Error": .object([
      field(
        "error",
        .object(
          [
            field("code", .choice(APIFailure.Code.allCases.map(\.rawValue))), field("message", .text()),
            APIField("advice", .text(), "What to do next."),
          ], isClosed: false))
    ]),
    "Service": open([
      field("version", .text()), field("commit", .nullable(.text())), field("libcurl", .nullable(.text())),
      field("pid", .integer(0...Int64.max)),
      field("started", .number), field("home", .text()), field("roots", .list(.text())), field("directory", .text()),
      field("secretNeeded", .flag), field("readOnly", .flag), field("schemes", .list(.text())),
      field("settings", .list(open([field("name", .text()), field("value", .text())]))),
    ]),
    "Links": open([
      field("kind", .choice(["links", "list", "metalink"])), field("count", .nullable(count)),
      field("urls", .list(.text(), most: TypedLinks.most)),
    ]),
    "Subscriptions": open([
      field(
        "subscriptions",
        .list(
          open([
            field("id", .id), field("url", .text()), field("match", .nullable(.text())),
            field("directory", .nullable(.text())), field("hours", count), field("added", count),
            field("checkedAt", .nullable(.number)), field("problem", .nullable(.text())),
          ])))
    ]),
    "Job": open(job), "Details": open(job + details),
    "Jobs": open([
      field("jobs", .list(.named("Job"))), field("counts", .object([], isClosed: false)), field("next", .nullable(.id)),
      field("cursor", .text()),
    ]),
    "Parts": open([
      field("size", .nullable(count)), field("done", .list(segment)),
      field(
        "fetching", .list(open([field("range", segment), field("source", .nullable(.text()))]))),
    ]),
    "Added": open([
      field(
        "jobs", .list(open([field("id", .nullable(.id)), field("uuid", .nullable(.text())), field("existing", .flag)])))
    ]),
    "Results": open([
      field(
        "results",
        .list(
          open([
            field("id", .nullable(.id)), field("result", .choice(ActionResult.Outcome.allCases.map(\.rawValue))),
            APIField("message", .text(), "Why it is not done, or cannot be undone; what became of it."),
            APIField("undo", .nullable(.text()), "What takes the removal back."),
          ])))
    ]),
    "Queue": open([
      field("name", .text()), field("state", .choice(["open", "paused", "spent", "closed"])),
      field("opensAt", .nullable(.number)), field("jobs", .nullable(count)), field("rate", .nullable(.text())),
      field("between", .nullable(.text())), field("directory", .nullable(.text())),
      field(
        "quota",
        .nullable(
          open([
            field("bytes", count), field("period", .choice(QueueQuota.Period.allCases.map(\.rawValue))),
            field("used", count),
          ]))),
      field("counts", open(JobState.allCases.map { field($0.rawValue, count) })),
    ]),
    "Feeds": open([
      field(
        "feeds",
        .list(
          open([
            field("url", .text()), field("title", .nullable(.text())), field("entries", count),
            field("checkedAt", .nullable(.number)),
          ])))
    ]),
    "Entries": open([
      field(
        "entries",
        .list(
          open([
            field("feed", .text()), field("guid", .text()), field("title", .nullable(.text())), field("url", .text()),
            field("published", .nullable(.number)), field("length", .nullable(count)),
            field("mediaType", .nullable(.text())), field("known", .flag), field("id", .nullable(.id)),
          ])))
    ]),
    "Sync": open([
      field(
        "files",
        .list(
          open([
            field("target", .text()),
            field("decision", .choice(["right", "fetch", "replace", "conflict", "left out", "differs"])),
            field("reason", .nullable(.text())), field("id", .nullable(.id)),
          ]))), field("surplus", .list(.text())), field("lock", .nullable(.text())),
    ]),
    "Info": open([
      field("url", .text()), field("finalURL", .text()), field("status", .nullable(.integer(100...999))),
      field("name", .nullable(.text())), field("size", .nullable(count)), field("mediaType", .nullable(.text())),
      field("resumable", .flag), field("resumableReason", .text()),
    ]),
  ]

  private static let count = APISchema.integer(0...Int64.max)
  private static let segment = APISchema.list(count, least: 2, most: 2)

  private static let job: [APIField] = [
    field("id", .id), field("uuid", .text()), field("url", .text()), field("finalURL", .nullable(.text())),
    field("state", .choice(JobState.allCases.map(\.rawValue))), field("target", .nullable(.text())),
    field("title", .nullable(.text())),
    field("partFile", .nullable(.text())), field("received", count), field("size", .nullable(count)),
    field("rate", .nullable(count)), field("runner", .nullable(.text())),
    field("priority", .integer(Int64.min...Int64.max)), field("addedAt", .number),
    field("finishedAt", .nullable(.number)), field("notBefore", .nullable(.number)),
    field(
      "hold",
      .nullable(
        open([
          field("origin", .text()), field("until", .number), field("since", .number), field("job", .nullable(.id)),
          field("askedBy", .nullable(.text())), field("status", .nullable(.integer(100...999))),
        ]))),
    field(
      "waits",
      .nullable(
        open([
          field(
            "for",
            .choice(["prerequisite", "start", "queue", "hold", "window", "retry", "disk", "origin", "lease"])),
          field("until", .nullable(.number)),
        ]))), field("labels", .list(.text())),
    field("startAt", .nullable(.number)), field("between", .nullable(.text())), field("after", .list(.id)),
    field("attempts", count),
    field("digest", .nullable(.text())), field("digestSource", .nullable(.text())), field("note", .nullable(.text())),
    field("queue", .nullable(.text())),
    field("group", .nullable(open([field("id", .id), field("name", .text())]))),
    field("error", .nullable(open([field("code", .text()), field("message", .text())]))),
  ]

  private static let details: [APIField] = [
    field("request", open([])), field("response", .nullable(open([]))), field("validators", open([])),
    field("segments", .list(segment)), field("mirrors", .list(.text())),
    field(
      "source",
      .nullable(
        open([
          field("name", .text()), field("exactName", .text()), field("revision", .nullable(.text())),
          field("path", .text()),
        ]))), field("attemptHistory", .list(open([]))),
  ]

  private static func open(_ fields: [APIField]) -> APISchema { .object(fields, isClosed: false) }
  private static func field(_ name: String, _ schema: APISchema) -> APIField {
    APIField(name, schema, "", isNeeded: true)
  }
}
