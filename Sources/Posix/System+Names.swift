// Asks the system's resolver whether a name exists.

internal import Glibc

public enum NameAnswer: Sendable, Equatable {
  case exists
  /// The name does not exist (`EAI_NONAME`).
  case unknown
  /// The resolver could not tell, for example without a network (`EAI_AGAIN`).
  case undecided

  init(code: Int32) {
    self =
      switch code {
      case 0: .exists
      case EAI_NONAME: .unknown
      default: .undecided
      }
  }
}

extension System {
  /// Looks up a host name (getaddrinfo(3)). Blocks, without a network for many seconds.
  public static func lookUp(_ name: String) -> NameAnswer {
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, nil, &found)
    if let found { freeaddrinfo(found) }
    return NameAnswer(code: code)
  }
}
