// Short forms of the most common answers.

extension FaultServer.Answer {
  /// By the rules.
  public static let normal = FaultServer.Answer()

  /// `status` with a short error page.
  public static func status(_ status: Int, headers: [String] = []) -> Self {
    Self(status) { $0.headers = headers }
  }

  /// A redirect to `location`, which is sent verbatim.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    Self(status) { $0.headers = ["Location: \(location)"] }
  }

  /// By the rules, but the connection ends after `offset` bytes of the body.
  public static func cut(after offset: Int64, _ ending: FaultServer.Ending = .close) -> Self {
    Self {
      $0.bodyCut = offset
      $0.ending = ending
    }
  }

  /// By the rules, but after `offset` bytes of the body come this many bytes of garbage, then the connection ends.
  public static func cut(after offset: Int64, padded padding: Int) -> Self {
    Self {
      $0.bodyCut = offset
      $0.padding = padding
    }
  }

  /// By the rules, but the body waits for `gate` after `offset` bytes.
  public static func held(by gate: FaultServer.Gate, after offset: Int64) -> Self {
    Self { $0.holds = [.gate(gate, after: offset)] }
  }

  /// By the rules, from a version that is served from now on.
  public static func changed(to version: FaultServer.Version) -> Self {
    Self { $0.version = version }
  }

  /// `head` and `body` verbatim, then the end of the connection.
  public static func raw(_ head: String, body: [UInt8] = []) -> Self {
    Self {
      $0.rawHead = Array(head.utf8)
      $0.body = body
      $0.closes = true
    }
  }

  /// The same answer with further changes.
  public func with(_ change: (inout Self) -> Void) -> Self {
    var answer = self
    change(&answer)
    return answer
  }
}
