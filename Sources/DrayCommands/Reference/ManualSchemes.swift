// SCHEMES of the manual page.

enum ManualSchemes {
  static let text = """
    Every scheme has the same queue, part file, checks and checkpoints. Where a server does not speak HTTP, the length \
    and the time of the last change that it tells stand for `Content-Length` and `Last-Modified`. A time identifies a \
    version once it is a minute old. A redirect never leaves http and https; feeds, catalogs and Metalink files may \
    name http, https, ftp and ftps.

    = `http`, `https`
    All that this page describes.

    = `ftp`, `ftps`
    Passive mode, binary, `anonymous` without `--user`. `ftps` is TLS from the start; `--ssl-reqd` wants it of an `ftp` \
    server. The path starts at the login's directory, `%2F` begins one at the root. Length by SIZE, time by MDTM, the rest \
    by REST; without SIZE the length is unverified, without MDTM only `--resume always` goes on. `-T` sends \
    a file. There are no header fields, cookies, methods or other bodies: options for those are left out with a word, or \
    refused.

    = `sftp`
    The path starts at the root, `/~/` at the login's directory. The server's key must be in `~/.ssh/known_hosts`, or be \
    the one of `--hostpubsha256`; a key that is not known is refused, and its fingerprint is told. `-k` takes any. The \
    user is proved with a key (`--key`, or a usual one of `~/.ssh`), by a running ssh-agent, or with a password. `-T` sends a \
    file. An empty one comes complete with its length unverified.

    = `s3`
    `s3://BUCKET/KEY` is asked from Amazon, or from the server of `--endpoint-url`, with a signature (version 4). Keys are \
    those of `--user KEY:SECRET`, else of `--aws-profile`, else of the environment, else of `AWS_PROFILE` or the profile \
    `default`; without any, and with `--no-sign-request`, the request is not signed. Keys of options and of the \
    environment are stored with the job, as it may be run where they are not set. Keys of a profile are not: they are \
    looked up at each attempt. The region is that of `--aws-region`, else of the environment, else of the profile, else \
    us-east-1. Roles, single sign-on and `credential_process` of a profile are not followed.

    = `file`
    `file:///PATH`, a regular file of this machine. Inode, length and time identify the version. A file that somebody \
    writes to while it is copied is not published.
    """
}
