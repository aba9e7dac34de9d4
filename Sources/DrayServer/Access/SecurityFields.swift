// What every answer tells browsers not to do.

/// Fields of every answer.
public enum SecurityFields {
  /// The page loads its own files only, has no inline scripts or styles, and is in no frame (CSP Level 3).
  public static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The fields, to be ``WebServer/Settings/standing``. Nothing is cached unless an answer allows it.
  public static let all: WebFields = [
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]
}
