// The security restrictions for browsers in every answer.

public import WebServer

public enum SecurityFields {
  /// The page loads only its own files, has no inline scripts or styles, and must not be framed (CSP Level 3).
  public static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The fields for ``WebServer/Settings/standing``. Nothing is cached unless an answer permits it.
  public static let all: WebFields = [
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]
}
