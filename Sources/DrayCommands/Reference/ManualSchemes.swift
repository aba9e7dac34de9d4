// SCHEMES of dray-get(1).

enum ManualSchemes {
  static let text = """
    Every scheme has the same queue, part file, checks and checkpoints. For servers that do not speak HTTP, the length \
    and the modification time that they report are used as `Content-Length` and `Last-Modified`. A time identifies a \
    version once it is a minute old. A redirect never leaves http and https; feeds, catalogs and Metalink files may \
    name http, https, ftp and ftps.

    = `http`, `https`
    Everything on this page applies.

    = `ftp`, `ftps`
    Passive mode, binary, `anonymous` without `--user`. `ftps` is TLS from the start; `--ssl-reqd` requires it of an `ftp` \
    server. The path starts at the login directory, `%2F` at the root. Length by SIZE, time by MDTM, the rest \
    by REST; without SIZE the length is unverified, without MDTM only `--resume always` resumes. `-T` sends \
    a file. There are no header fields, cookies, methods or other bodies: options for those are ignored with a message, or \
    refused.

    = `sftp`
    The path starts at the root, `/~/` at the login directory. The server's key must be in `~/.ssh/known_hosts`, or match \
    `--hostpubsha256`; an unknown key is refused, and its fingerprint is shown. `-k` accepts any. The \
    user is authenticated with a key (`--key`, or a usual one of `~/.ssh`), by a running ssh-agent, or with a password. `-T` sends a \
    file. An empty file is complete with its length unverified.

    = `s3`
    `s3://BUCKET/KEY` is requested from Amazon, or from the server of `--endpoint-url`, with a signature (version 4). Keys are \
    those of `--user KEY:SECRET`, else of `--aws-profile`, else of the environment, else of `AWS_PROFILE` or the profile \
    `default`; without any, and with `--no-sign-request`, the request is not signed. Keys of options and of the \
    environment are stored with the job, because it may run where they are not set. Keys of a profile are not: they are \
    looked up at each attempt. The region is that of `--aws-region`, else of the environment, else of the profile, else \
    us-east-1. Roles, single sign-on and `credential_process` of a profile are not supported.

    = `file`
    `file:///PATH`, a regular file of this machine. Inode, length and time identify the version. A file that \
    changes while it is copied is not published.
    """
}
