// The memory of parts: its limit over several files, and bytes that cross the border of a part without memory.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

private let mib = 1 << 20

@Suite(.timeLimit(.minutes(1)), .serialized) struct UploadMemoryTests {
  @Test func buffersAreReusedAndCounted() {
    let memory = UploadMemory()
    #expect(memory.limit == Int(ObjectOptions.usualMemory))
    let file = memory.enter()
    memory.limit(file, to: 16 << 20)
    #expect(memory.limit == 16 << 20)
    let first = memory.take(8 * mib, for: file)
    let second = memory.take(8 * mib, for: file)
    memory.countLeaving(1)
    #expect(first != nil && second != nil && memory.take(8 * mib, for: file) == nil)
    if let first { memory.giveBack(first) }
    // A few bytes get a separate small buffer, and leave the free ones.
    let spill = memory.takeAtOnce(1000)
    #expect(memory.take(8 * mib, for: file) == nil)
    memory.giveBack(spill)
    #expect(memory.take(8 * mib, for: file) === first)
    memory.leave(file)
    #expect(memory.limit == Int(ObjectOptions.usualMemory))
  }

  @Test func beforeAFileSetsItsLimitTheLeastMemoryMustBeEnough() {
    let memory = UploadMemory()
    let file = memory.enter()
    let parts = (0..<2).map { _ in memory.take(8 * mib, for: file) }
    memory.countLeaving(2)
    #expect(parts.allSatisfy { $0 != nil } && memory.take(8 * mib, for: file) == nil)
    memory.limit(file, to: 24 << 20)
    #expect(memory.take(8 * mib, for: file) != nil && memory.take(8 * mib, for: file) == nil)
  }

  /// Six files, none with a full part: the memory of whole parts is limited nevertheless.
  @Test func filesWithoutAFullPartShareTheLimit() async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    let parts = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
      var parts: [any PartStorage] = []
      for number in 0..<6 {
        let part = try destination.createPart("part\(number)")
        part.expect(Int64(20 * mib))
        var description = ObjectDescription()
        description.options.uploadMemory = 16 << 20
        part.willBe("f\(number)", description)
        parts.append(part)
      }
      return parts
    }
    let admitted = parts.count { $0.receiver?.admits(1000, at: 0) ?? false }
    #expect(admitted == 3)
    #expect(parts.reduce(0) { $0 + $1.allocated } == Int64(24 * mib))
    // Files that have memory continue.
    #expect(parts.prefix(3).allSatisfy { $0.receiver?.admits(1000, at: 1000) ?? false })
  }

  /// All files are at the end of a part when memory is used up, and their next bytes belong to two parts.
  @Test func bytesAcrossABorderDoNotWaitForTheNextPart() async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    let bytes = noise(20 * mib)
    let border = 8 * mib
    let parts = try await bucket.run { [destination = bucket.destination] () throws(Failure) in
      var parts: [any PartStorage] = []
      for number in 0..<3 {
        let part = try destination.createPart("part\(number)")
        part.expect(Int64(bytes.count))
        var description = ObjectDescription()
        description.options.uploadMemory = 16 << 20
        part.willBe("f\(number)", description)
        try Bucket.write(Array(bytes[..<(border - 1000)]), to: part)
        parts.append(part)
      }
      for part in parts {
        // Each file has only the memory of its present part, and no part is being sent.
        #expect(part.receiver?.admits(4000, at: Int64(border - 1000)) == true)
        let piece = Array(bytes[border - 1000..<border + 3000])
        _ = try piece.withUnsafeBytes { piece -> Result<Bool, Failure> in
          do throws(Failure) {
            return .success(try part.write(piece, at: Int64(border - 1000), stayingInMemory: true))
          } catch {
            return .failure(error)
          }
        }.get()
      }
      for part in parts { try Bucket.write(bytes, to: part, from: border + 3000) }
      return parts
    }
    for (number, part) in parts.enumerated() {
      #expect(try await bucket.publish(part, bytes.count, as: "f\(number)") == .done(notes: []))
      #expect(bucket.bytes("f\(number)") == bytes)
    }
  }
}
