// The sections of the manual about documents: catalogs, Metalink files, mirrors, feeds, manifests.

internal import DrayKit

enum ManualDocuments {
  static let catalogs = """
    A catalog lists where the versions of services are. `dray add --catalog` URL `NAME@VERSION` queues the file of one \
    version, `NAME` alone that of the highest, by the rules of Semantic Versioning (a pre-release is lower than its \
    release); versions in another form are compared as people read them, and one that does not begin with a number is lower than all \
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

    Only `urls` is required: the URLs of one file, the preferred one first, relative to the catalog. URLs are \
    http, https, ftp or ftps. `headers` are sent to the origin of the first URL only. Unknown fields are errors. A catalog \
    from a URL is cached and revalidated; if its server cannot be reached, the copy is used, and \
    dray reports how old it is. Fields and credentials of the command line are sent to the catalog's origin only.
    """

  static let mirrors = """
    A job may have several URLs of one file: by `--mirror`, in a list, after tabs or as `mirrors`, or from a catalog, a manifest or a \
    Metalink file. If a server fails, the next one is tried at once; delays begin when all have failed. Received bytes \
    are continued from another server only if digest and size are known, or if both servers send the same strong \
    `ETag`. Fields, cookies and credentials are sent to the origin of the first URL only. A file of another size than \
    expected is refused before a byte of it is written.

    Metalink files of version 3 and 4 (RFC 5854) give mirrors by their priority, sizes and hashes, of which the strongest \
    is checked. `dray get` accepts one as an argument if its name ends in `.meta4` or `.metalink`, and with \
    `--metalink-file`. Names in it may have directories, and must stay below the target directory; no symbolic link is followed there. With `--metalink` the \
    server of each URL is asked first: for a URL that leads to a Metalink file, its files are fetched, and a `Link` \
    to one (`rel=describedby`, RFC 6249), or to mirrors (`rel=duplicate`), adds its information.
    """

  static let directories = """
    `dray get -r` and `dray add -r` take URLs of directories, with or without a slash at the end, and fetch all files below \
    them: the tree below the URL becomes the same tree below the directory of `-d`. A directory is read as its server \
    lists it: the index pages of nginx (HTML and JSON), Apache, lighttpd, Caddy, Python and others like them, WebDAV \
    (`PROPFIND`) where there is no index page, FTP (MLSD, else LIST), SFTP, and the keys below an `s3` prefix. Fetching begins while \
    directories are still read. Where no link of a page ends with a slash, those without an extension are asked once with HEAD: one that \
    redirects to itself with a slash, or answers with a listing, is a directory.

    Only what is below the URL is fetched: links and redirects upwards, to other hosts, and with a query are not followed. \
    Names are made safe like any name that a server gives, and no symbolic link is followed in the tree here. Two files whose names \
    come to the same here are an error: the first is fetched. Symbolic links of FTP and SFTP servers are left out. A link that leads back to a directory above \
    is noticed by its listing. At most \(TreeLimits().depth) levels, \(TreeLimits().listings) listings of 16 MiB, \(TreeLimits().files) files \
    and an hour of reading are taken. What cannot be read is reported, the rest is fetched, and the exit status says so.

    The same command again fetches what is new or has changed. A file that is here as it was fetched is up to date if its listing says the \
    same strong `ETag`, or the same length and the same second. Otherwise its server is asked, as with `--if-changed`, and a file that changed is replaced. \
    Nothing is ever deleted. With `--on-conflict skip`, files that are here stay.

    `--include` and `--exclude` are patterns for the path below the URL, as the server has it. One without a slash is for a name at any level \
    (`*.iso`), one with a slash for the path from the start (`pool/*/*.deb`, `/README`). `*` is any text within a part of the path, `?` one \
    character, `**` any number of parts. What is for a directory is for all that is below it. A file is fetched if no `--exclude` \
    is for it, and any `--include`, if there are some. `--depth 1` is the directory without those in it.

    The files of a directory are a group of jobs. `dray list` shows it as one row on a terminal, with an id such as `g3`; `dray list --group` \
    shows its files, and `--all-files` those of all groups. `dray pause`, `resume`, `retry` and `remove` accept `g3`, or `--group` with its id or its name, for \
    the jobs to which they apply. Into a pipe and as JSON every job is listed.
    """

  static let feeds = """
    `dray feed` reads RSS 2.0, RSS 1.0 and Atom, and queues their enclosures; if an entry has none, the best file of its \
    Media RSS: the default one, else that of the highest bitrate, else the largest. `--limit` counts the newest entries \
    that match, known ones too, so that a second run does not go back in time. `--match` accepts POSIX \
    extended regular expressions, as grep -E has them: `. * + ? {2,3} | ( ) [ ] ^ $`, `\\w \\s \\b` and their opposites, classes such as \
    `[0-9]` and `[[:alpha:]]`; case does not matter. They are compared with the first KiB of a title or URL. `.` and `[^a]` match one byte, \
    and letters outside ASCII have several; such a letter in brackets is refused, as are back-references, which could take hours. Entries are recorded for the URL of the \
    feed and for the one that it redirects to, together with the job, so that none is lost and none is queued twice. Feeds \
    with a document type are refused: it may contain unbounded entities.

    With `--json` each entry is an object of `feed`, `guid`, `title`, `url`, `published`, `length` (as the feed says: a \
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
    Without a target it has the name in its URL. Targets are relative to the manifest and stay below its directory; no \
    symbolic link is followed there, and neither the manifest nor its lock can be a target. \
    `[defaults]` has `base`, to which relative URLs are resolved, `dir`, `headers`, `user-agent` and `referer`. Unknown keys are \
    errors; everything is checked before anything is changed.

    The lock next to it has for each file its target, `url`, `final-url`, `size`, SHA-256, `etag` and `last-modified`, with \
    secrets in URLs hidden. A file that is in the lock and differs is replaced; one that dray did not put there is an \
    error. With `--locked` a difference in the manifest, on disk, or in what the server sends is an error, and neither \
    the file nor the lock is changed.
    """
}
