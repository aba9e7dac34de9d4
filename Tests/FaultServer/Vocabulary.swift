// Small parts of HTTP: reason phrases, dates, Base64.

import Foundation

/// The usual phrase of `status` (RFC 9110 §15), for the statuses that this server sends.
func reasonPhrase(_ status: Int) -> String {
  let phrases = [
    100: "Continue", 102: "Processing", 103: "Early Hints", 200: "OK", 204: "No Content",
    206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 407: "Proxy Authentication Required", 410: "Gone",
    412: "Precondition Failed", 416: "Range Not Satisfiable", 429: "Too Many Requests",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
  return phrases[status] ?? "Status"
}

/// The moment `seconds` from now as an IMF-fixdate (RFC 9110 §5.6.7).
public func httpDate(secondsFromNow seconds: Double = 0) -> String {
  let formatter = DateFormatter()
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
  return formatter.string(from: Date(timeIntervalSinceNow: seconds))
}

/// The Base64 of `bytes`.
func base64(_ bytes: some Sequence<UInt8>) -> String {
  Data(bytes).base64EncodedString()
}
