// The JSON writer, against Foundation's reader.

import Foundation
import TestSupport
import Testing

@testable import DrayCore

@Suite struct JSONTextTests {
  @Test func keysStandInTheirOrderAndCommasWhereTheyBelong() {
    var json = JSONText()
    json.beginObject()
    json.field("id", 7)
    json.field("size", Int64?.none)
    json.key("list")
    json.beginArray()
    json.value("a")
    json.beginArray()
    json.endArray()
    json.value(true)
    json.endArray()
    json.key("error")
    json.beginObject()
    json.endObject()
    json.field("rate", 1.5)
    json.endObject()
    json.endLine()
    json.value(false)
    #expect(json.text == #"{"id":7,"size":null,"list":["a",[],true],"error":{},"rate":1.5}"# + "\nfalse")
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (3, "3"), (-12, "-12"), (1e15, "1000000000000000"), (0.1, "0.1"), (-2.5, "-2.5"),
      (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (9_007_199_254_740_991, "9007199254740991"),
    ] as [(Double, String)])
  func wholeNumbersHaveNoPointAndNothingIsInfinite(number: Double, expected: String) {
    var json = JSONText()
    json.value(number)
    #expect(json.text == expected)
  }

  @Test(
    arguments: [
      ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
      ("\0\u{1B}\u{7F}", #""\u0000\u001b\u007f""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("\u{9B}2J", #""\u009b2J""#), ("a\u{202E}b", #""a\u202eb""#), ("\u{E0001}", #""\udb40\udc01""#),
      ("日本 é 🇩🇪", "\"日本 é 🇩🇪\""), ("\r\n", #""\r\n""#),
    ])
  func whatATerminalObeysIsEscaped(text: String, expected: String) {
    var json = JSONText()
    json.value(text)
    #expect(json.text == expected)
  }

  @Test(arguments: 0..<50)
  func foundationReadsItBack(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var json = JSONText()
    var strings: [String] = []
    var integers: [Int64] = []
    var doubles: [Double] = []
    json.beginObject()
    for index in 0..<40 {
      let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...random.pick([0x7F, 0x2FF, 0x20FF, 0x10FFFF]), using: &random))
      }
      strings.append(String(String.UnicodeScalarView(scalars)))
      integers.append(Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random))
      let number = Double(bitPattern: random.next())
      doubles.append(number.isFinite ? number : 0.5)
      json.field("s\(index)" + strings[index], strings[index])
      json.field("i\(index)", integers[index])
      json.field("d\(index)", doubles[index])
    }
    json.endObject()

    var list = JSONText()
    list.beginArray()
    for number in doubles { list.value(number) }
    list.endArray()
    #expect(try JSONDecoder().decode([Double].self, from: Data(list.bytes)) == doubles)

    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    #expect(read.count == 120)
    for index in 0..<40 {
      let string = try #require(read["s\(index)" + strings[index]] as? String)
      // Compare scalars: "é" as one scalar and as two are equal strings.
      #expect(Array(string.unicodeScalars) == Array(strings[index].unicodeScalars))
      #expect((read["i\(index)"] as? NSNumber)?.int64Value == integers[index])
      // JSONSerialization itself rounds the last digit of some numbers.
      let number = try #require((read["d\(index)"] as? NSNumber)?.doubleValue)
      #expect(abs(number / doubles[index] - 1) < 1e-14)
    }
  }
}
