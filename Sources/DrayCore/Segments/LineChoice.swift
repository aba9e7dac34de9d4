// Decides over which line (a network interface of this machine) the next connection goes, if the user gave several.

/// The rule for spreading connections over lines.
package enum LineChoice {
  /// The facts about a line.
  package struct Line: Sendable, Equatable {
    /// The number of its connections.
    package var connections: Int
    /// The maximum number of its connections; 0 if it must not be used now.
    package var limit: Int
    /// The mean bytes per second of one of its connections; `nil` if unknown.
    package var rate: Double?

    /// Creates the description of a line.
    package init(connections: Int, limit: Int = .max, rate: Double? = nil) {
      (self.connections, self.limit, self.rate) = (connections, limit, rate)
    }
  }

  /// Returns the lines that may have another connection, the best first: those with the fewest connections; among
  /// these, one whose rate is unknown, then the fastest, then the one that the user named first.
  package static func order(_ lines: [Line]) -> [Int] {
    lines.indices.filter { lines[$0].connections < lines[$0].limit }.sorted { left, right in
      let (a, b) = (lines[left], lines[right])
      if a.connections != b.connections { return a.connections < b.connections }
      let (first, second) = (a.rate ?? .infinity, b.rate ?? .infinity)
      return first == second ? left < right : first > second
    }
  }

  /// Returns the line for comparing bytes of a source: its own line, or the first usable line if only others are usable
  /// now.
  /// - Parameters:
  ///   - own: The source's line.
  ///   - isOpen: Whether a line can be used now, for each line in the order in which the user named them.
  public static func forComparison(own: Int, isOpen: [Bool]) -> Int {
    isOpen[own] ? own : isOpen.firstIndex(of: true) ?? own
  }
}
