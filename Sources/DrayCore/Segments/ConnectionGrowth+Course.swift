// Follows the rate of a file, or of all files of an origin, and tells the state of the line: steady, fallen, or losing
// packets.

extension ConnectionGrowth {
  /// The recent rates, in windows of about one latency.
  struct Course: Sendable {
    private var last: (time: Double, bytes: Int64)?
    private var outOfOrder = 0
    /// For each window, whether packets were lost in it.
    private var losses: [Bool] = []
    /// The rates of the newest windows, in bytes per second.
    private(set) var rates: [Double] = []
    /// The highest mean rate of two consecutive groups.
    private(set) var peak = 0.0
    private var windowsSincePeak = 0
    /// The number of windows that last ``settling`` together.
    private var group = 1

    /// Whether the server sends in bursts, which shows by a pause in which no bytes arrived. In that case, the rate of
    /// one burst does not predict later rates.
    private(set) var isBursty = false

    /// The limits of a window, in seconds. Between them it is a latency.
    private static let shortest = 0.018
    private static let longest = 0.25
    /// The rate of a line wavers from one moment to the next, so short windows are grouped until they last so many seconds.
    /// A peak is the mean over two groups, and a fall is that over `most`.
    private static let settling = 0.05
    private static let most = 4
    /// Returns how many seconds a pause must last to show that the server sends in bursts. A shorter pause may be the
    /// time in which a lost packet is sent again, which takes some round trips.
    private static func pause(_ latency: Double) -> Double { max(min(0.3, max(0.1, 8 * latency)), 1.5 * latency) }

    /// Adds a sample, and returns whether a window ended.
    mutating func look(_ bytes: Int64, outOfOrder packets: Int, latency: Double, now: Double) -> Bool {
      guard let (time, before) = last else {
        last = (now, bytes)
        return false
      }
      let window = min(max(Course.shortest, latency), Course.longest)
      guard now - time >= window else { return false }
      // When a lost packet finally arrives, the bytes of several windows arrive together with it.
      if bytes == before {
        guard now - time >= Course.pause(latency) else { return false }
        isBursty = true
      }
      rates.append(Double(bytes - before) / (now - time))
      losses.append(packets > outOfOrder)
      outOfOrder = packets
      group = max(1, Int((Course.settling / window).rounded(.up)))
      if rates.count > Course.most * group {
        rates.removeFirst()
        losses.removeFirst()
      }
      windowsSincePeak += 1
      if rates.count > group, grouped > peak { (peak, windowsSincePeak) = (grouped, 0) }
      last = (now, bytes)
      return true
    }

    /// Whether the rate has stopped growing: two windows in a row brought hardly more bytes than the window before
    /// them.
    var isSteady: Bool {
      guard rates.count >= 3 else { return false }
      let recent = rates.suffix(3).map(\.self)
      return recent[1] <= 1.25 * recent[0] && recent[2] <= 1.25 * recent[1]
    }

    /// Whether the rate has been far below the earlier rate of the line for several windows.
    var hasFallen: Bool { rates.count >= Course.most * group && rate < 0.5 * peak && isSteady }

    /// Whether packets are lost repeatedly although the line is not full, because its rate is below the earlier one.
    /// Losses while the rate grows do not count: they happen because the slow start overflows the queue, or the rate
    /// grows in spite of them.
    var isLossy: Bool {
      guard rates.count >= 3, windowsSincePeak >= max(3, 2 * group - 1),
        rates[rates.count - 1] <= 1.25 * rates[rates.count - 3]
      else { return false }
      return losses.count(where: \.self) >= 2 && recent < 0.9 * peak || losses.contains(true) && recent < 0.75 * peak
    }

    /// The mean rate of the last three windows.
    var recent: Double { mean(of: 3) }

    /// The mean rate of the last two windows.
    var newest: Double { mean(of: 2) }

    var count: Int { rates.count }

    private func mean(of windows: Int) -> Double {
      let last = rates.suffix(windows)
      return last.isEmpty ? 0 : last.reduce(0, +) / Double(last.count)
    }

    /// The mean rate of the last two groups.
    private var grouped: Double { mean(of: 2 * group) }

    /// Whether no bytes arrived in one of the newest windows, because the server sends in bursts.
    var hasPauses: Bool { rates.contains(0) }

    /// The mean rate of the newest windows.
    var rate: Double { mean(of: Course.most * group) }

    /// Starts again with `peak` as the line's rate.
    mutating func restart(peak: Double) {
      (rates, losses, last, self.peak, windowsSincePeak) = ([], [], nil, peak, 0)
    }
  }
}
