// The table for `dray curl`: curl's options with the meaning that curl gives them, and how they are written for `dray
// get`. Options that are settings of jobs are not in this table: their rows in the table of settings contain curl's
// names.

internal import DrayKit

struct CurlOption: Sendable {
  enum Meaning: Sendable {
    /// dray does that anyway, or the option makes no difference.
    case usual
    /// dray has no use for the option, and leaves it out with a remark.
    case unused
    /// The option is replaced by these words; `%` in them is the value.
    case words([String])
    /// The option becomes words that depend on its value. If the closure returns `nil`, the line is refused with this
    /// advice.
    case decided(@Sendable (String) -> [String]?, String)
    /// The option is a header field. It is left out if dray sets that field itself.
    case field
    /// The option is JSON to send. If it is given several times, the texts are joined.
    case json
    /// Without the option, the request would be a different one. The line is therefore refused with this advice.
    case refused(String)
  }

  /// The names of the option, with dashes.
  let names: [String]
  let takesValue: Bool
  let meaning: Meaning

  private init(_ names: String, _ takesValue: Bool, _ meaning: Meaning) {
    self.names = names.split(separator: " ").map(String.init)
    (self.takesValue, self.meaning) = (takesValue, meaning)
  }

  private static let byName = Dictionary(all.flatMap { option in option.names.map { ($0, option) } }) { first, _ in
    first
  }

  /// Returns the option with a name, including its dashes. A long name may be abbreviated if only one option begins
  /// with it.
  static func named(_ name: String) -> CurlOption? {
    if let option = byName[name] { return option }
    guard name.hasPrefix("--"), name.utf8.count > 3 else { return nil }
    let found = byName.filter { $0.key.hasPrefix(name) }.map(\.value)
    return Set(found.map { $0.names[0] }).count == 1 ? found.first : nil
  }

  /// Creates an option with a value that has another name in dray.
  private static func same(_ names: String, _ option: String) -> CurlOption {
    CurlOption(names, true, .words([option, "%"]))
  }

  /// Creates a flag that has another name in dray.
  private static func flag(_ names: String, _ words: String...) -> CurlOption {
    CurlOption(names, false, .words(words))
  }

  /// Creates an option whose value is a number, where 0 means the default.
  private static func number(_ names: String, _ option: String) -> CurlOption {
    CurlOption(names, true, .decided({ Double($0) == 0 ? [] : [option, $0] }, ""))
  }

  private static func flags(_ names: String, _ meaning: Meaning) -> CurlOption { CurlOption(names, false, meaning) }
  private static func valued(_ names: String, _ meaning: Meaning) -> CurlOption { CurlOption(names, true, meaning) }

  static let all: [CurlOption] = settings + request + files + connection + trust + refused + unused

  private static let settings = Setting.all.filter { !$0.foreign.curl.isEmpty }.map { setting -> CurlOption in
    let (names, option) = (setting.foreign.curl, "--\(setting.name)")
    if setting.isFlag { return flag(names, option) }
    return setting.foreign.zeroIsDefault ? number(names, option) : same(names, option)
  }

  private static let request: [CurlOption] = [
    same("-X --request", "--request"),
    valued("-H --header", .field),
    valued("-b --cookie", .decided({ $0.isEmpty ? [] : ["--cookie", $0] }, "")),
    same("-d --data --data-ascii", "--data"), same("--data-raw", "--data-raw"), same("--data-binary", "--data-binary"),
    same("--data-urlencode", "--data-urlencode"), valued("--json", .json),
    same("-F --form", "--form"), same("--form-string", "--form-string"), same("-T --upload-file", "--upload-file"),
    flag("-G --get", "--get"), flag("-I --head", "--head"), valued("--url", .words(["%"])),
    valued(
      "--url-query",
      .decided(
        { $0.contains("=") && !"=+@".contains($0.first ?? "=") ? ["--query", $0] : nil }, "write --url-query NAME=TEXT")
    ),
    valued(
      "-e --referer",
      .decided(
        { text in
          let url = text.hasSuffix(";auto") ? String(text.dropLast(5)) : text
          return url.isEmpty ? [] : ["--referer", url]
        }, "")),
    flag("-n --netrc --netrc-optional", "--netrc"),
    valued("--max-redirs", .decided({ ["--max-redirs", $0 == "-1" ? "1000" : $0] }, "")),
    flag("--post301", "--post301"), flag("--post302", "--post302"), flag("--post303", "--post303"),
    flags("-L --location --follow", .usual),
  ]

  private static let files: [CurlOption] = [
    same("-o --output", "--output"),
    flags("-O --remote-name --remote-name-all -J --remote-header-name --create-dirs -R --remote-time", .usual),
    flags(
      "-f --fail --fail-with-body --fail-early --remove-on-error -S --show-error --compressed --tr-encoding", .usual),
    flags("-N --no-buffer -# --progress-bar --styled-output -Z --parallel --parallel-immediate -q --disable", .usual),
    flags("--retry-connrefused --suppress-connect-headers", .usual),
    flag("--no-clobber", "--on-conflict", "rename"), flag("--skip-existing", "--on-conflict", "skip"),
    flag("-s --silent", "--quiet"), flag("--no-progress-meter", "--progress", "none"),
    flag("-v --verbose", "--verbose"),
    flag("-g --globoff", "--globoff"),
    valued(
      "-C --continue-at",
      .decided(
        { $0 == "-" ? ["--adopt-target"] : $0 == "0" ? [] : nil }, "dray finds out by itself where to continue")),
    valued("-r --range", .decided({ $0 == "0-" ? [] : nil }, "dray fetches whole files: omit it")),
    same("--parallel-max", "--max-concurrent-downloads"),
    valued("--rate", .decided({ Habit.rate($0) }, "write --rate 10/s, 30/m or 100/h")),
  ]

  private static let connection: [CurlOption] = [
    valued("--socks5", .words(["--proxy", "socks5://%"])),
    valued("--socks5-hostname", .words(["--proxy", "socks5h://%"])),
    valued("--socks4", .words(["--proxy", "socks4://%"])), valued("--socks4a", .words(["--proxy", "socks4a://%"])),
    valued("--proxy1.0", .words(["--proxy", "http://%"])),
    valued("--noproxy", .decided({ $0 == "*" ? ["--proxy", ""] : nil }, "set the variable no_proxy")),
    flags("-p --proxytunnel", .usual),
    flags("--tcp-nodelay --tcp-fastopen --no-keepalive --keepalive --no-sessionid --no-alpn --no-npn", .usual),
  ]

  private static let trust: [CurlOption] = [
    flags("-1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2", .usual),
    valued("--proto-redir --proto-default", .usual),
  ]

  private static let refused: [CurlOption] = [
    flags("-: --next", .refused("write a line for each request")),
    valued("-K --config", .refused("write its options into the line")),
    valued("--variable", .refused("write the values themselves")),
    valued("--aws-sigv4", .refused("`dray get s3://BUCKET/KEY` signs its requests")),
    valued("--request-target", .refused("write the URL that is meant")),
    valued("--unix-socket --abstract-unix-socket", .refused("dray connects over the network only")),
    valued("--connect-to", .refused("write --resolve HOST:PORT:ADDRESS")),
    valued("--preproxy", .refused("dray goes through one proxy: -x names it")),
    valued("-Q --quote", .refused("dray sends no commands of FTP")),
    flags("-a --append", .refused("dray sends whole files")),
    flags("--crlf", .refused("dray sends files as they are")),
    flags("-l --list-only", .refused("dray fetches files, not their lists")),
    flags("--location-trusted", .refused("secrets go to their own server only; [host] sections give them to others")),
    valued("-h --help", .refused("see `dray help curl`")), flags("-M --manual", .refused("see `dray help curl`")),
    flags("-V --version", .refused("see `dray --version`")),
  ]

  private static let unused: [CurlOption] = [
    flags(
      "-i --include -j --junk-session-cookies -0 --http1.0 --http0.9 --raw --ignore-content-length -B --use-ascii"
        + " -2 --sslv2 -3 --sslv3 --tlsv1.3 --cert-status --doh-cert-status --doh-insecure --ssl-allow-beast --ssl-no-revoke"
        + " --ssl-revoke-best-effort --ssl-auto-client-cert --ca-native --proxy-ca-native --dump-ca-embed --tls-earlydata"
        + " --proxy-insecure --proxy-http2 --proxy-tlsv1 --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --path-as-is"
        + " --disallow-username-in-url --trace-time --trace-ids --compressed-ssh --false-start --form-escape --metalink"
        + " --haproxy-protocol --mptcp --out-null --ntlm-wb --sasl-ir --socks5-basic --socks5-gssapi --socks5-gssapi-nec"
        + " --tftp-no-options --mail-rcpt-allowfails --disable-eprt --disable-epsv --ftp-create-dirs --ftp-pasv --ftp-pret"
        + " --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control", .unused),
    valued(
      "-D --dump-header -w --write-out -z --time-cond -Y --speed-limit -P --ftp-port -t --telnet-option --alt-svc --hsts"
        + " --etag-compare --etag-save --stderr --trace --trace-ascii --trace-config --libcurl --create-file-mode"
        + " --retry-max-time --keepalive-time --keepalive-cnt --expect100-timeout --happy-eyeballs-timeout-ms --local-port"
        + " --parallel-max-host --ip-tos --vlan-priority --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers"
        + " --doh-url --cert-type --key-type --ciphers --tls13-ciphers --tls-max --curves --sigalgs --crlfile --ech --engine"
        + " --egd-file --random-file --pubkey --hostpubmd5 --tlsauthtype --tlsuser --tlspassword --delegation --krb"
        + " --service-name --login-options --sasl-authzid --socks5-gssapi-service --haproxy-clientip --ipfs-gateway"
        + " --proxy-header --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-tls13-ciphers"
        + " --proxy-crlfile --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name"
        + " --proxy-tlsauthtype --proxy-tlsuser --proxy-tlspassword --mail-auth --mail-from --mail-rcpt --upload-flags"
        + " --ftp-account --ftp-alternative-to-user --ftp-method --ftp-ssl-ccc-mode --tftp-blksize", .unused),
  ]
}
