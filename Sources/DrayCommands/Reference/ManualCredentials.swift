// AUTHENTICATION AND COOKIES of the manual.

enum ManualCredentials {
  static let text = """
    Secrets are sent to the origin of the job's URL only: scheme, host and port. A redirect to another origin carries \
    none of them; one that leads back does again. Secrets are stored with the job, and are never shown. `dray set-url` to \
    another origin drops them, and lists which; `--keep-credentials` keeps them.

    `--netrc` and `--netrc-file` look up the host of the URL at each request. If a user name is given without a \
    password, in the URL or with `--user`, the password is that of the first entry for the host with this `login`, or \
    with none; if there is no such entry, an empty one is sent. `default` stands for the \
    host of any URL that you give, but not for hosts that a server or a document names: mirrors, enclosures, redirects.

    Everyone on the machine can see a command line in `ps`. Passwords, tokens and cookies can come \
    from a file (`@FILE`, `--netrc`, `-b FILE`), from the environment, from standard input (`--password-stdin`), or be \
    typed when dray asks.

    Input that is read once, when the command is given, may also come from a pipe (`<(command)`) or, as `-`, from standard \
    input: lists of URLs, header fields, cookies, tokens, bodies, catalogs, Metalink files, a .netrc, the configuration. \
    Certificates and keys are read again at each connection and must be files.

    The name and password of `--user` are sent with Basic authentication unless a scheme is given: `--digest`, `--ntlm`, \
    `--negotiate`, or `--anyauth`, which asks first what the server offers. A connection that NTLM or Negotiate has \
    authenticated is used for no other job. Wrong credentials end a job after one try with status 6; the message lists what the server offers.

    `--pinnedpubkey` is the SHA-256 of the server's public key, `sha256//BASE64`, and applies to every server that a \
    redirect leads to. This makes it from a certificate:

      openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64

    Cookies are kept by the rules of RFC 6265 and sent along redirects to the hosts they are for; one for a whole public \
    suffix is refused. Persistent cookies are in one jar for all jobs. Session cookies belong to the job: its attempts \
    share them, and they are deleted when it is complete. `-b NAME=VALUE` is sent to the origin of the job's URL. `-b FILE` is \
    read at each attempt, a pipe or `-` once. `--cookie-jar FILE` adds to what the file contains. From Firefox the cookies of the URL's site are read \
    when the job is made; its containers are left out. Other browsers encrypt theirs.

    A host that asks for https with `Strict-Transport-Security` over a connection whose certificate was checked is \
    requested over https only from then on, for as long as it said (RFC 6797).
    """

  /// What programs read of the jar.
  static let json = """
    `dray cookies list --json` is an array of objects with `domain`, `includesSubdomains`, `path`, `name`, `value` (null \
    without `--reveal`), `secure`, `httpOnly` and `expires`, in seconds since 1970.
    """
}
