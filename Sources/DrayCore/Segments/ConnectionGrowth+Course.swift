// Follows the rate of a file, or of all files of an origin, and tells the state of the line: steady, fallen, or losing
// packets.

extension ConnectionGrowth {
  /// The recent rates, in windows of about one round trip.
  struct Course: Sendable {
    private var last: (time: Double, bytes: Int64)?
    private var outOfOrder = 0
    /// For each window, whether packets were lost in it.
    private var losses: [Bool] = []
    /// The rates of the newest windows, in bytes per second.
    private(set) var rates: [Double] = []
    /// The highest mean rate that two consecutive windows had.
    private(set) var peak = 0.0
    private var windowsSincePeak = 0

    /// Whether the server sends in bursts, which shows by a pause in which no bytes arrived. In that case, the rate of
    /// one burst does not predict later rates.
    private(set) var isBursty = false

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
      guard now - time >= min(max(0.05, latency), 0.25) else { return false }
      // When a lost packet finally arrives, the bytes of several windows arrive together with it.
      if bytes == before {
        guard now - time >= Course.pause(latency) else { return false }
        isBursty = true
      }
      rates.append(Double(bytes - before) / (now - time))
      losses.append(packets > outOfOrder)
      outOfOrder = packets
      if rates.count > Course.most {
        rates.removeFirst()
        losses.removeFirst()
      }
      windowsSincePeak += 1
      if rates.count > 1, newest > peak { (peak, windowsSincePeak) = (newest, 0) }
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
    var hasFallen: Bool { rates.count == Course.most && rate < 0.5 * peak && isSteady }

    /// Whether packets are lost repeatedly although the line is not full, because its rate is below the earlier one.
    /// Losses while the rate grows do not count: they happen because the slow start overflows the queue, or the rate
    /// grows in spite of them.
    var isLossy: Bool {
      guard rates.count >= 3, windowsSincePeak >= 3, rates[rates.count - 1] <= 1.25 * rates[rates.count - 3] else {
        return false
      }
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

    /// Whether no bytes arrived in one of the newest windows, because the server sends in bursts.
    var hasPauses: Bool { rates.contains(0) }

    /// The mean rate of the newest windows.
    var rate: Double { mean(of: Course.most) }

    /// Starts again with `peak` as the line's rate.
    mutating func restart(peak: Double) {
      (rates, losses, last, self.peak, windowsSincePeak) = ([], [], nil, peak, 0)
    }
  }
}
