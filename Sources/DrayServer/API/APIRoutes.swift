// The table of all routes.

internal import DrayCore
internal import DrayDocuments
internal import WebServer

/// All routes. The routes with fixed words come before those with parts in braces.
enum APIRoutes {
  static let root = "/api/v1"

  static let all: [APIRoute] = service + jobs + orders + actions + limits + queues + sources

  private static let service: [APIRoute] = [
    APIRoute(
      method: "GET", path: "/service", summary: "What service this is.",
      answers: [APIAnswer(200, "The service.", .named("Service"))], read: { _ in .service }),
    APIRoute(
      method: "GET", path: "/space", summary: "The free space for files.",
      query: [APIField("directory", .text(most: 4096), "A root, or a folder below one; the default otherwise.")],
      answers: [
        APIAnswer(
          200, "Bytes; null if the disk does not say, or does not answer within two seconds.",
          .object([APIField("free", .nullable(.integer(0...Int64.max)), "Bytes.", isNeeded: true)]))
      ], errors: [403], read: { .space($0.query["directory"]) }),
    APIRoute(
      method: "GET", path: "/openapi.json", summary: "This document.",
      answers: [APIAnswer(200, "The document.", .object([], isClosed: false))], read: { _ in .document }),
    APIRoute(
      method: "GET", path: "/events",
      summary: "Server-sent events: job, removed, order, progress, counts, reset and beat, from a cursor on.",
      query: [APIField("cursor", .text(most: 100), "That of a list of jobs, or the id of an event.")],
      heads: [APIField("Last-Event-ID", .text(most: 100), "The id of the last event; it wins over the cursor.")],
      answers: [APIAnswer(200, "Events without end.", .text(), mediaType: "text/event-stream")],
      read: { .events(cursor: $0.fields["Last-Event-ID"] ?? $0.query["cursor"]) }),
    APIRoute(
      method: "POST", path: "/session",
      summary: "Logs in: the answer sets a cookie, and has the key that requests with the cookie need as Dray-Key.",
      body: .object([APIField("secret", .text(most: 2000), "The service's secret.", isNeeded: true)]),
      answers: [
        APIAnswer(
          200, "You are logged in.",
          .object([APIField("key", .text(), "The value of the field Dray-Key.", isNeeded: true)]))
      ], errors: [429],
      read: { .logIn($0.body["secret"]?.string ?? "") }),
    APIRoute(
      method: "DELETE", path: "/session", summary: "Logs out.", answers: [APIAnswer(204, "You are logged out.", nil)],
      read: { _ in .logOut }),
  ]

  private static let jobs: [APIRoute] = [
    APIRoute(
      method: "GET", path: "/jobs", summary: "Jobs, ascending by their numbers.",
      query: [
        APIField("states", .text(most: 100), "Only jobs in these states, separated by commas."),
        APIField("after", .integer(0...Int64.max), "Only larger numbers."),
        APIField("limit", .integer(1...Int64(JobsWindow.most)), "How many at most; \(JobsWindow.usual) otherwise."),
      ],
      answers: [APIAnswer(200, "A page of them.", .named("Jobs"))],
      read: { (input) throws(APIFailure) in .jobs(try JobsWindow(input)) }),
    APIRoute(
      method: "POST", path: "/jobs", summary: "Adds jobs, all or none; they are durable when this answers.",
      heads: [
        APIField(
          "Idempotency-Key", .text(most: AddOrder.longestKey, isNeeded: true),
          "Asked again with the same key and body, the same jobs are the answer.")
      ],
      body: AddOrder.schema, answers: [APIAnswer(201, "The jobs.", .named("Added"))], errors: [403, 409],
      read: { .add(AddOrder($0.body)) }),
    APIRoute(
      method: "GET", path: "/jobs/{id}", summary: "Everything about a job.",
      answers: [APIAnswer(200, "The job, as `dray show --json` has it.", .named("Details"))], errors: [404],
      read: { (input) throws(APIFailure) in .job(try input.id()) }),
    APIRoute(
      method: "PATCH", path: "/jobs/{id}", summary: "Changes a job.", body: ChangeOrder.schema,
      answers: [APIAnswer(200, "The job.", .named("Job"))], errors: [403, 404, 409],
      read: { (input) throws(APIFailure) in .change(try input.id(), try ChangeOrder(input.body)) }),
    APIRoute(
      method: "GET", path: "/jobs/{id}/parts", summary: "Which parts of a job's file are there, and are being fetched.",
      answers: [APIAnswer(200, "The parts.", .named("Parts"))], errors: [404],
      read: { (input) throws(APIFailure) in .parts(try input.id()) }),
    APIRoute(
      method: "GET", path: "/queue", summary: "The jobs that wait, in their order.",
      answers: [APIAnswer(200, "Their numbers.", .object([APIField("ids", .list(.id), "The jobs.", isNeeded: true)]))],
      read: { _ in .queue }),
  ]

  private static let orders: [APIRoute] = [
    APIRoute(
      method: "POST", path: "/jobs/move", summary: "Moves jobs that wait to a place in the queue.",
      body: MoveOrder.schema,
      answers: [APIAnswer(200, "They are there.", .object([]))], errors: [409], read: { MoveOrder.call($0.body) }),
    APIRoute(
      method: "POST", path: "/jobs/actions", summary: "Does something to jobs, or takes removals back.",
      body: ActionOrder.schema, answers: [APIAnswer(200, "What became of it.", .named("Results"))],
      read: { ActionOrder.call($0.body) }),
  ]

  private static let actions: [APIRoute] =
    JobAction.allCases.map { action in
      APIRoute(
        method: "POST", path: "/jobs/{id}/\(action.rawValue)", summary: "The action \(action.rawValue) for one job.",
        body: .object([]), answers: [APIAnswer(200, "What became of it.", .named("Results"))], errors: [404],
        read: { (input) throws(APIFailure) in .actOnOne(action, try input.id()) })
    } + [
      APIRoute(
        method: "POST", path: "/jobs/{id}/undo", summary: "Adds a job again that was removed.", body: .object([]),
        answers: [APIAnswer(200, "What became of it.", .named("Results"))], errors: [404],
        read: { (input) throws(APIFailure) in .undoOne(try input.id()) })
    ]

  private static let limits: [APIRoute] = [
    APIRoute(
      method: "GET", path: "/limits", summary: "The limits that hold for all jobs.",
      answers: [APIAnswer(200, "The limits.", LimitsOrder.answer)], read: { _ in .limits }),
    APIRoute(
      method: "PUT", path: "/limits", summary: "Sets all limits.", body: LimitsOrder.schema,
      answers: [APIAnswer(200, "The limits.", LimitsOrder.answer)], read: { .setLimits(LimitsOrder($0.body)) }),
  ]

  private static let queues: [APIRoute] = [
    APIRoute(
      method: "GET", path: "/queues", summary: "The named queues: those with settings, and those that jobs name.",
      answers: [
        APIAnswer(200, "The queues.", .object([APIField("queues", .list(.named("Queue")), "All.", isNeeded: true)]))
      ],
      read: { _ in .queues }),
    APIRoute(
      method: "PATCH", path: "/queues/{name}", summary: "Changes a named queue, or makes one.",
      body: QueueOrder.schema, answers: [APIAnswer(200, "The queue.", .named("Queue"))], errors: [403, 404],
      read: { (input) throws(APIFailure) in .changeQueue(try input.queueName(), try QueueOrder(input.body)) }),
    APIRoute(
      method: "DELETE", path: "/queues/{name}", summary: "Takes back all settings of a named queue; its jobs stay.",
      answers: [APIAnswer(200, "They are gone.", .object([]))], errors: [404],
      read: { (input) throws(APIFailure) in .removeQueue(try input.queueName()) }),
  ]

  private static let sources: [APIRoute] = [
    APIRoute(
      method: "GET", path: "/feeds", summary: "Feeds of which something was queued.",
      answers: [APIAnswer(200, "The feeds.", .named("Feeds"))], read: { _ in .feeds }),
    APIRoute(
      method: "POST", path: "/feeds", summary: "Reads a feed, or queues entries of one.", body: FeedOrder.schema,
      answers: [
        APIAnswer(200, "Its entries.", .named("Entries")), APIAnswer(201, "The jobs of the entries.", .named("Added")),
      ], errors: [403, 409, 502], read: { FeedOrder.call($0.body) }),
    APIRoute(
      method: "POST", path: "/sync", summary: "Has the files of a manifest in a directory, as `dray sync`.",
      body: SyncOrder.schema,
      answers: [APIAnswer(200, "What is there, what is fetched, and the lock once all is there.", .named("Sync"))],
      errors: [403, 409], read: { .sync(SyncOrder($0.body)) }),
    APIRoute(
      method: "GET", path: "/subscriptions", summary: "The feeds that the service reads by itself.",
      answers: [APIAnswer(200, "The subscriptions.", .named("Subscriptions"))], read: { _ in .subscriptions }),
    APIRoute(
      method: "POST", path: "/subscriptions",
      summary: "Subscribes to a feed: what it adds from now on is queued. Replaces one of the same feed and pattern.",
      body: FeedSubscription.schema, answers: [APIAnswer(200, "All subscriptions.", .named("Subscriptions"))],
      errors: [403], read: { (input) throws(APIFailure) in .subscribe(FeedSubscription(input.body)) }),
    APIRoute(
      method: "DELETE", path: "/subscriptions/{id}", summary: "Ends a subscription; its jobs stay.",
      answers: [APIAnswer(200, "The others.", .named("Subscriptions"))], errors: [404],
      read: { (input) throws(APIFailure) in .unsubscribe(try input.id()) }),
    APIRoute(
      method: "POST", path: "/links", summary: "Reads links as POST /jobs does a text, and adds nothing.",
      body: TypedLinks.schema, answers: [APIAnswer(200, "What they are.", .named("Links"))], errors: [403],
      read: { .links($0.body["text"]?.string ?? "") }),
    APIRoute(
      method: "POST", path: "/probes", summary: "What a server says of a URL, without fetching it.",
      body: .object([APIField("url", .text(isNeeded: true), "The URL.", isNeeded: true)]),
      answers: [APIAnswer(200, "What it says, as `dray info --json`.", .named("Info"))], errors: [403, 502],
      read: { .probe($0.body["url"]?.string ?? "") }),
  ]
}
