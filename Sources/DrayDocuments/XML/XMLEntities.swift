// Mends common defects of feeds: HTML's character names, and a lone `&`.

internal import DrayCore

/// HTML entities in XML that does not declare them.
enum XMLEntities {
  /// Replaces each `&` that is invalid in XML, as HTML readers do: with the named character (HTML 4 §24), otherwise
  /// with a literal `&`. CDATA sections, comments and instructions stay unchanged.
  static func mended(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let next = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
      result += rest[..<next]
      rest = rest[next...]
      if rest.first == UInt8(ascii: "&") {
        let (meant, length) = reference(rest.dropFirst())
        result += meant
        rest = rest.dropFirst(length + 1)
      } else if let end = verbatim(rest) {
        result += rest[..<end]
        rest = rest[end...]
      } else {
        result.append(UInt8(ascii: "<"))
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  private static let sections: [(start: [UInt8], end: [UInt8])] = [
    ("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  /// Returns the end of a section without references that begins here; `nil` if `rest` begins with anything else.
  private static func verbatim(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let section = sections.first(where: { rest.starts(with: $0.start) }) else { return nil }
    return rest.dropFirst(section.start.count).firstRange(of: section.end)?.upperBound ?? rest.endIndex
  }

  /// Reads the text after `&`. Returns its replacement, and the number of bytes to replace.
  private static func reference(_ rest: ArraySlice<UInt8>) -> (meant: [UInt8], length: Int) {
    let name = rest.prefix(longest).prefix { $0 > 0x20 && !";<&\"'".utf8.contains($0) }
    let lone = (Array("&amp;".utf8), 0)
    guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: ";") else { return lone }
    let text = String(decoding: name, as: UTF8.self)
    let whole = Array("&\(text.replacing("#X", with: "#x"));".utf8)
    if ["amp", "lt", "gt", "quot", "apos"].contains(text) { return (whole, name.count + 1) }
    if text.hasPrefix("#") {
      let isHex = text.hasPrefix("#x") || text.hasPrefix("#X")
      let digits = text.dropFirst(isHex ? 2 : 1)
      guard let value = UInt32(digits, radix: isHex ? 16 : 10), digits.first != "+" else { return lone }
      // XML forbids control characters.
      let isAllowed = Unicode.Scalar(value).map(XMLTree.isAllowed) ?? false
      return (isAllowed ? whole : [], name.count + 1)
    }
    guard let value = byName[text], let scalar = Unicode.Scalar(value) else { return lone }
    return (Array(String(scalar).utf8), name.count + 1)
  }

  /// The length of `#x0010FFFF`.
  private static let longest = 10

  private static let byName: [String: UInt32] = {
    var values: [String: UInt32] = [:]
    for (index, name) in latin.split(separator: " ").enumerated() { values[String(name)] = UInt32(0xA0 + index) }
    let words = others.split(separator: " ")
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      values[String(words[index])] = UInt32(words[index + 1], radix: 16)
    }
    return values
  }()

  /// The names of U+00A0 to U+00FF, in order.
  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
    micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
    Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
    Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
    eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
    uacute ucirc uuml yacute thorn yuml
    """

  /// Each with its character in hexadecimal.
  private static let others = """
    OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2C6 tilde 2DC Alpha 391 Beta 392 Gamma 393 \
    Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398 Iota 399 Kappa 39A Lambda 39B Mu 39C Nu 39D Xi 39E Omicron 39F \
    Pi 3A0 Rho 3A1 Sigma 3A3 Tau 3A4 Upsilon 3A5 Phi 3A6 Chi 3A7 Psi 3A8 Omega 3A9 alpha 3B1 beta 3B2 gamma 3B3 \
    delta 3B4 epsilon 3B5 zeta 3B6 eta 3B7 theta 3B8 iota 3B9 kappa 3BA lambda 3BB mu 3BC nu 3BD xi 3BE omicron 3BF \
    pi 3C0 rho 3C1 sigmaf 3C2 sigma 3C3 tau 3C4 upsilon 3C5 phi 3C6 chi 3C7 psi 3C8 omega 3C9 thetasym 3D1 \
    upsih 3D2 piv 3D6 ensp 2002 emsp 2003 thinsp 2009 zwnj 200C zwj 200D lrm 200E rlm 200F ndash 2013 mdash 2014 \
    lsquo 2018 rsquo 2019 sbquo 201A ldquo 201C rdquo 201D bdquo 201E dagger 2020 Dagger 2021 bull 2022 hellip 2026 \
    permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203A oline 203E frasl 2044 euro 20AC image 2111 \
    weierp 2118 real 211C trade 2122 alefsym 2135 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 crarr 21B5 \
    lArr 21D0 uArr 21D1 rArr 21D2 dArr 21D3 hArr 21D4 forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 \
    isin 2208 notin 2209 ni 220B prod 220F sum 2211 minus 2212 lowast 2217 radic 221A prop 221D infin 221E ang 2220 \
    and 2227 or 2228 cap 2229 cup 222A int 222B there4 2234 sim 223C cong 2245 asymp 2248 ne 2260 equiv 2261 \
    le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 otimes 2297 perp 22A5 sdot 22C5 \
    lceil 2308 rceil 2309 lfloor 230A rfloor 230B lang 2329 rang 232A loz 25CA spades 2660 clubs 2663 hearts 2665 \
    diams 2666
    """
}
