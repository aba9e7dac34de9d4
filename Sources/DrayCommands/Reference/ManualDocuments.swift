// The sections of the manual page about documents: catalogs, Metalink files, mirrors, feeds, manifests.

enum ManualDocuments {
  static let catalogs = """
    A catalog tells where the versions of services are. `dray add --catalog` URL `NAME@VERSION` queues the file of one, \
    `NAME` alone that of its highest version, by the rules of Semantic Versioning (a pre-release is lower than its \
    release); versions of another form are compared as people read them, and one that begins with no number is lower than all \
    others. A catalog is JSON:

      {
        "dray-catalog": 1,
        "services": {
          "kernel": {
            "description": "what it is",
            "versions": {
              "1.10.0": {
                "urls": ["kernel-1.10.0.tar", "https://mirror.example.org/k.tar"],
                "size": 1024,
                "digest": "sha-256=HEX",
                "filename": "kernel.tar",
                "headers": {"X-Key": "7"}
              }
            }
          }
        }
      }

    Only `urls` is needed: the same file at several places, the preferred one first, relative to the catalog. URLs are \
    http, https, ftp or ftps. `headers` go to the origin of the first URL only. Unknown fields are errors. A catalog \
    from a URL is kept, and asked for again under its validators; if its server cannot be reached, the copy is used, and \
    dray says how old it is. Fields and credentials of the command line go to the catalog's origin only.
    """

  static let mirrors = """
    A job may have several URLs of one file: by `--mirror`, in a list, after tabs or as `mirrors`, or from a catalog, a manifest or a \
    Metalink file. When a server fails, the next one is asked at once; waits begin when all have failed. Received bytes \
    are built upon at another server only where digest and size are known, or where both servers give the same strong \
    `ETag`. Fields, cookies and credentials go to the origin of the first URL only. A file that does not have the size \
    that was told is refused before a byte of it is written.

    Metalink files of version 3 and 4 (RFC 5854) give mirrors by their priority, sizes and hashes, of which the strongest \
    is checked. `dray get` takes one as an operand if its name ends in `.meta4` or `.metalink`, and with \
    `--metalink-file`. Names in it may have directories, and must stay below the target directory; no symbolic link is followed there. With `--metalink` the \
    server of each URL is asked first: for a URL that leads to a Metalink file its files are fetched, and a `Link` \
    to one (`rel=describedby`, RFC 6249), or to mirrors (`rel=duplicate`), adds what it says.
    """

  static let feeds = """
    `dray feed` reads RSS 2.0, RSS 1.0 and Atom, and takes their enclosures; where an entry has none, the best file of its \
    Media RSS: the default one, else that of the highest bitrate, else the largest. `--limit` counts the newest entries \
    that match, known ones too, so that a second run does not go back in time. `--match` takes regular expressions as grep -E and \
    Perl have them: `. * + ? {2,3} | ( ) [ ] ^ $`, `\\d \\w \\s \\b` and their opposites, classes such as `[[:alpha:]]`, `(?i)` for \
    any case. References to groups and looking ahead or behind are refused, as with them a title could take hours. Entries are remembered for the URL of the \
    feed and for the one that it redirects to, together with the job, so that none is lost and none comes twice. Feeds \
    with a document type are refused: it may hold entities without end.

    With `--json` each entry is an object of `feed`, `guid`, `title`, `url`, `published`, `length` (what the feed says: a \
    hint), `mediaType`, `known` and `id`, the job or null.
    """

  static let manifests = """
    A manifest for `dray sync` is TOML:

      [defaults]
      base = "https://example.org/files/"
      dir = "assets"
      headers = { X-Key = "7" }

      [[file]]
      url = "logo.svg"

      [[file]]
      urls = ["https://a.example.org/m.bin", "https://b.example.org/m.bin"]
      target = "models/m.bin"
      digest = "sha-256=HEX"
      size = 1048576

    A file has `url`, `urls` or both, and may have `target`, `digest`, `size`, `headers`, `user-agent` and `referer`. \
    Without a target it is called as in its URL. Targets are relative to the manifest and stay below its directory; no \
    symbolic link is followed there, and neither the manifest nor its lock can be a target. \
    `[defaults]` has `base`, from which relative URLs start, `dir`, `headers`, `user-agent` and `referer`. Unknown keys are \
    errors; all is checked before anything is touched.

    The lock beside it has for each file its target, `url`, `final-url`, `size`, SHA-256, `etag` and `last-modified`, with \
    secrets in URLs hidden. A file that the lock knows and that differs is replaced; one that dray did not put there is an \
    error. With `--locked` a difference in the manifest, on disk, or in what the server sends is an error, and neither \
    the file nor the lock is changed.
    """
}
