// What the fields mean: the section JSON of dray-formats(7). Tests compare the names with the schema and with what
// is written.

/// The documentation of the formats.
public enum FormatReference {
  /// Paragraphs, and terms with their meaning (`= TERM` and a line below it), with `code` in backticks.
  public static let text = """
    All formats are versioned; a field never changes its meaning, and new ones may come. Times are seconds since 1970, \
    sizes are bytes, rates are bytes a second. Secrets in URLs show as `…`, unless \
    `list` or `show` has `--reveal`. A JSON Schema (2020-12) of these formats is \
    in the sources as `docs/wire/dray.schema.json`, and installed as `share/dray/dray.schema.json`.

    `dray list --json` is an array of objects, `dray show --json` one of them with more:

    = `id`, `uuid`
    The number that commands accept, and what the name of the part file has.

    = `url`, `finalURL`
    The URL as it was given, and the one that answered, or null.

    = `state`
    queued, active, complete, failed, interrupted or paused.

    = `target`, `partFile`
    Paths; null if there is none. A complete job has no target if the answer had no body.

    = `received`, `size`, `rate`
    Bytes on disk; the length of the file, or null; the rate of an active job, or null.

    = `priority`, `attempts`, `addedAt`, `finishedAt`, `notBefore`
    Higher priorities run first. The last is the time before which the job is not retried, or null.

    = `hold`
    null, or the time that a server asked the jobs of its origin to wait: an object of `origin`, `until`, `since`, `job` (the one that \
    was refused), `askedBy` (the URL that was refused, or the proxy that refused it) and `status`, the last three null where unknown. \
    It is over when `until` has passed.

    = `startAt`, `after`
    The time before which it does not start, or null; the numbers of the jobs that it waits for.

    = `digest`, `digestSource`, `note`
    ALGORITHM=HEX of the file, or null; its source (`given`, the name of a header field, `Metalink`, `catalog`, the \
    URL of a list, or `computed`), or null; a remark on a successful job, or null.

    = `group`
    The group that the job belongs to, an object of `id` and `name`, or null. The files of one directory (`-r`) are a group.

    = `error`
    null, or an object of `code` (other, usage, file, network, tls, authentication, protocol, status, integrity or store), \
    `exitStatus`, `message` and `httpStatus`.

    = `request`, `response`, `validators`, `segments`, `expectedDigest`, `expectedSize`, `expectedType`, `allowedTypes`, `mirrors`, `attemptHistory`
    In `show` only. A segment is a pair: its first byte, and one past its last. `request` has `method`, `fields` (the header \
    fields that were given, one string each), `userAgent`, `insecure`, `ifChanged`, `noCache`, `onConflict`, `resume`, \
    `maxConnections` (the maximum number of connections at once), `retries`, `rateLimit`, and, null without a limit, `maxTime` in \
    seconds and `maxSize` in bytes. `validators` has `etag`, \
    `lastModified`, and whether one of them is `strong`. An attempt has `startedAt`, `endedAt`, its `outcome`, `message`, \
    and the range that came, `firstByte` to `lastByte`.

    = `offeredDigests`
    In `show` only: the digests that the server offers, each with `digest` and `source`, the name of the header field.

    = `adopted`
    In `show` only: null, or the partial file of another program, with `file`, `controlFile` (null where there is none) and, null \
    until it was compared with the server's, the bytes that were `taken` over, that were `compared`, and that were not taken because \
    some of them were `differing`; `refusal` says why nothing was taken.

    `dray info --json` is an object of `url` and the fields of its answer; the `response` of `show` has the same, with \
    its `time`:

    = `finalURL`, `status`, `httpVersion`, `fields`
    The URL that answered, and its head; a field is an object of `name` and `value`, in the order received.

    = `name`, `size`, `mediaType`, `charset`, `validators`
    The name that the file would get, its length, or null, its type, and the validators of its version.

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

    `--progress json` writes one object per line, each with `v` (1, the version of the format), `event`, `id` and \
    `time`, and:

    = `added`
    `uuid`, `url`, and whether the job was `existing`.

    = `started`
    `attempt`, from 1.

    = `redirected`
    `status`, `from` and `to`.

    = `response`
    `status`, `url`, `received` (bytes on disk already), `size`, `mediaType`, `etag`, `lastModified`. \
    It precedes the bytes.

    = `progress`
    `received`, `size`, `rate` and, from the process that transfers it, the number of `connections`; at most four times a \
    second.

    = `adopted`
    The partial file of another program was compared with the server's: the fields of `adopted` in `dray show --json`.

    = `mirror-dropped`
    The mirror at `url` is no longer used; `reason`. The file is not affected.

    = `upload`
    `sent`, `length`, `rate` of the request's body; before its answer, at most four times a second.

    = `restarted`
    Bytes were discarded, all of them or those of a part; `reason`. Counts begin again with the `response` that \
    follows, which has the number that remain. They never fall without this event.

    = `damaged`
    This number of `bytes` of the part file is damaged; they are fetched again.

    = `retrying`
    `delay` in seconds, and `error`.

    = `interrupted`, `failed`
    `error`; null if the user stopped it.

    = `paused`, `removed`
    By the user, from this or another terminal.

    = `skipped`
    The `target` exists and is not replaced.

    = `unchanged`
    The `target` has the server's version, and nothing was fetched (`--if-changed`).

    = `complete`
    `target`, `size`, `digest`, `digestSource`, `note`. The target is null where the answer had no body.

    = `hook`
    The hook that was run at the end of the job has ended: `program`, its `problem` or null, and the last lines of its `output`.

    `dray watch --json` writes the same events of all runners, as seen in the job store: those that come and go within a fifth \
    of a second may be missing, but not the last of a job. It begins with one `job` event for each job that has not \
    ended, or that was named, and has one more event:

    = `job`
    The state of the job: `job` is an object with the fields of `dray list --json`.

    = `queued`
    The job waits again: it was resumed or claimed again.
    """
}
