// What the fields mean: the section JSON FORMATS of the manual page. Tests compare the names with the schema and with what
// is written.

/// The documentation of the formats.
public enum FormatReference {
  /// Paragraphs, and terms with their meaning (`= TERM` and a line below it), with `code` in backticks.
  public static let text = """
    All formats are versioned; a field never changes its meaning, and new ones may come. Times are seconds since 1970, \
    sizes are bytes, rates are bytes a second. Secrets in URLs show as `…`. A JSON Schema (2020-12) of these formats is \
    in the sources as `docs/wire/dray.schema.json`, and installed as `share/dray/dray.schema.json`.

    `dray list --json` is an array of objects, `dray show --json` one of them with more:

    = `id`, `uuid`
    The number for people, and the name of the part file.

    = `url`, `finalURL`
    The URL as it was given, and the one that answered, or null.

    = `state`
    queued, active, complete, failed, interrupted or paused.

    = `target`, `partFile`
    Paths; null as long as there is none. A complete job has no target where the answer had no body.

    = `received`, `size`, `rate`
    Bytes that are there; the length of the file, or null; the rate of an active job, or null.

    = `priority`, `attempts`, `addedAt`, `finishedAt`, `notBefore`
    Larger priorities are sooner. The last is the time before which it is not tried again, or null.

    = `startAt`, `after`
    The time before which it does not start, or null; the numbers of the jobs that it waits for.

    = `digest`, `digestSource`, `note`
    ALGORITHM=HEX of the file, or null; who had said so (`given`, the name of a header field, `Metalink`, `catalog`, the \
    URL of a list, or `computed`), or null; what is worth knowing of a job that went well, or null.

    = `error`
    null, or an object of `code` (other, usage, file, network, tls, authentication, protocol, status, integrity or store), \
    `exitStatus`, `message` and `httpStatus`.

    = `request`, `response`, `validators`, `segments`, `expectedDigest`, `expectedSize`, `expectedType`, `mirrors`, `attemptHistory`
    Of `show` only. A segment is a pair: its first byte, and one past its last. `request` has `method`, `fields` (the header \
    fields that were given, one text each), `userAgent`, `insecure`, `ifChanged`, `noCache`, `onConflict`, `resume`, \
    `maxConnections` (the most connections that there may be at once), `retries` and `rateLimit`. `validators` has `etag`, \
    `lastModified`, and whether one of them is `strong`. An attempt has `startedAt`, `endedAt`, its `outcome`, `message`, \
    and the range that came, `firstByte` to `lastByte`.

    = `offeredDigests`
    Of `show` only: the digests that the server offers, each with `digest` and `source`, the name of the header field.

    `dray info --json` is an object of `url` and what its answer tells; the `response` of `show` has the same, with \
    its `time`:

    = `finalURL`, `status`, `httpVersion`, `fields`
    The URL that answered, and its head; a field is an object of `name` and `value`, in the order they came.

    = `name`, `size`, `mediaType`, `charset`, `validators`
    The name that the file would get, its length, or null, its type, and what identifies its version.

    = `resumable`, `resumableReason`
    Whether a transfer could be resumed safely, and why.

    = `redirects`, `links`
    Arrays of `status`, `from`, `to`, `httpVersion` and `fields`, and of `relation` (duplicate or describedby), `url`, \
    `mediaType` and `priority`.

    = `address`, `port`, `connectionReused`, `tls`
    The connection; `tls` is null, or an object of `version`, `cipher`, and of the certificate `subject`, `issuer`, \
    `names`, `notBefore` and `notAfter`.

    = `timings`
    `nameLookup`, `connect`, `tls`, `firstByte` and `total`, in seconds since the last request began.

    `--progress json` writes one object a line, each with `v` (1, the version of the format), `event`, `id` and \
    `time`, and:

    = `added`
    `uuid`, `url`, and whether it was `existing`.

    = `started`
    `attempt`, from 1.

    = `redirected`
    `status`, `from` and `to`.

    = `response`
    `status`, `url`, `received` (bytes that are there already), `size`, `mediaType`, `etag`, `lastModified`. \
    Bytes come after it.

    = `progress`
    `received`, `size`, `rate` and, from the process that fetches it, the `connections` that do; four times a second at \
    most.

    = `mirror-dropped`
    A mirror at `url` is not used any more; `reason`. The file is not affected.

    = `upload`
    `sent`, `length`, `rate` of the request's body; before its answer, four times a second at most.

    = `restarted`
    Bytes were given up, all of them or those of a part; `reason`. Counts begin again with the `response` that \
    follows, which tells how many are there. They never fall without this.

    = `damaged`
    So many `bytes` of the part file are not what they should be; they are fetched again.

    = `retrying`
    `delay` in seconds, and `error`.

    = `interrupted`, `failed`
    `error`; null where somebody stopped it.

    = `paused`, `removed`
    By hand, from this or another terminal.

    = `skipped`
    The `target` was there and is left alone.

    = `unchanged`
    The `target` is of the version that the server has, and nothing was fetched (`--if-changed`).

    = `complete`
    `target`, `size`, `digest`, `digestSource`, `note`. The target is null where the answer had no body.

    = `hook`
    What was run at the end of the job has ended: `program`, its `problem` or null, and the last lines of its `output`.

    `dray watch --json` writes the same events of all runners, seen from outside: those that come and go within a fifth \
    of a second may be missing, but not the last of a job. It begins with one `job` event for each job that has not \
    ended, or that was named, and knows one more:

    = `job`
    How the job stands: `job` is an object of the fields of `dray list --json`.

    = `queued`
    The job waits again: it was resumed, or taken up.
    """
}
