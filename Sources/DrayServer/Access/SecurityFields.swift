// The fields in every answer that restrict what a browser may do with it.

package import WebServer

package enum SecurityFields {
  /// The page may load only its own files, has no inline scripts or styles, and must not be shown in a frame (CSP Level
  /// 3).
  package static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The fields that are set as ``WebServer/Settings/standing``. Browsers cache an answer only if the answer itself
  /// permits that.
  package static let all: WebFields = [
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]
}
