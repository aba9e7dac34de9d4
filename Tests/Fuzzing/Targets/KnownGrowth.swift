// Documents and fields whose cost was found to grow with the square of their length, each in the form that showed it.

extension Growth {
  /// One of them.
  struct Known: Sendable, CustomStringConvertible {
    let description: String
    let target: FuzzTarget
    /// Bytes of the shorter input: enough for the square to be seen, few enough for the gate.
    let length: Int
    let make: @Sendable (Int) -> [UInt8]

    init(_ description: String, _ target: FuzzTarget, length: Int = 16 << 10, make: @escaping @Sendable (Int) -> String)
    {
      self.description = description
      self.target = target
      self.length = length
      self.make = { Array(make($0).utf8) }
    }
  }

  private static func repeated(_ count: Int, _ piece: (Int) -> String) -> String {
    (0..<count).map(piece).joined()
  }

  static let known: [Known] = [
    Known("declarations of namespaces, and as many elements that have one", .feed) { count in
      let declarations = repeated(count / 40) { " xmlns:a\($0)=\"b\"" }
      return "<rss\(declarations)><channel>" + repeated(count / 40) { "<a xmlns:c=\"d\($0)\"/>" } + "</channel></rss>"
    },
    Known("attributes of one element", .metalink, length: 128 << 10) { count in
      "<metalink" + repeated(count / 11) { " a\($0)=\"b\"" } + "></metalink>"
    },
    Known("links of a page in capitals", .feed) { count in "<html>" + repeated(count / 5) { _ in "<LINK" } },
    Known("URLs of one file", .metalink) { count in
      "<metalink><file name=\"a\">" + repeated(count / 40) { "<url>http://a.example/\($0)</url>" }
        + "</file></metalink>"
    },
    Known("schemes of a challenge", .challenge) { count in repeated(count / 6) { "s\($0)," } },
  ]
}
