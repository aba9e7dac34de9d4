// Documents and fields whose cost was found to grow with the square of their length, each in the form that showed it.

extension Growth {
  /// A document or field whose cost once grew with the square of its length.
  struct Known: Sendable, CustomStringConvertible {
    let description: String
    let target: FuzzTarget
    /// The length of the shorter input: long enough to show quadratic cost, short enough for the gate.
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
    Known("comments without an end, in a feed", .feed, length: 64 << 10) { count in
      "<rss><channel>" + repeated(count / 4) { _ in "<!--" }
    },
    Known("one comment, in Metalink", .metalink, length: 64 << 10) { count in
      "<metalink><!--" + repeated(count / 4) { _ in "a - " } + "--></metalink>"
    },
    Known("one CDATA section without an end, in a feed", .feed, length: 64 << 10) { count in
      "<rss><channel><title><![CDATA[" + repeated(count / 4) { _ in "]] >" }
    },
    Known("one attribute without an end, in a feed", .feed, length: 64 << 10) { count in
      "<rss><channel a=\"" + repeated(count / 4) { _ in "aaaa" }
    },
    Known("text without an end, in a feed", .feed, length: 64 << 10) { count in
      "<rss><channel><title>" + repeated(count / 4) { _ in "aaa " }
    },
    Known("URLs of one file", .metalink) { count in
      "<metalink><file name=\"a\">" + repeated(count / 40) { "<url>http://a.example/\($0)</url>" }
        + "</file></metalink>"
    },
    Known("members of a dictionary of digests", .offeredDigests) { count in
      "Repr-Digest: " + repeated(count / 9) { "a\($0)=::, " } + "a=::"
    },
    Known("values of one digest", .offeredDigests) { count in
      repeated(count / 35) { "x-amz-checksum-crc32: \(["AAAAAA==", "AAAAAQ=="][$0 % 2])\n" }
    },
    Known("digests of one field", .offeredDigests) { count in
      "x-goog-hash: " + repeated(count / 17) { "crc32c=\(["AAAAAA==", "AAAAAQ=="][$0 % 2])," }
    },
    Known("schemes of a challenge", .challenge) { count in repeated(count / 6) { "s\($0)," } },
  ]
}
