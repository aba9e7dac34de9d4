// Joins the parts of a request that the parser reports.

internal import NIOCore
internal import NIOHTTP1

/// Makes requests of the parts that SwiftNIO's parser reports, and refusals of its errors.
final class RequestAssembler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = ClientInput

  private let limits: WebLimits
  private let gate: InputGate
  private var head: RequestHead?
  private var body: [UInt8] = []
  private var isOver = false

  init(limits: WebLimits, gate: InputGate) { (self.limits, self.gate) = (limits, gate) }

  /// In bytes.
  var held: Int { body.count }
  /// The request whose body is incomplete, with the bytes received so far; `nil` between requests.
  var unfinished: (head: RequestHead, body: [UInt8])? { head.map { ($0, body) } }

  static func parser(_ limits: WebLimits) -> ByteToMessageHandler<HTTPRequestDecoder> {
    var bounds = NIOHTTPDecoderLimitConfiguration()
    (bounds.maxHeaderFieldSize, bounds.maxHeaderListSize) = (limits.head, limits.head)
    bounds.maxHeaderFieldCount = limits.fields
    return ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: bounds))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    do throws(WebRefusal) {
      switch unwrapInboundIn(data) {
      case .head(let parsed):
        let head = try RequestHead(parsed, limits: limits)
        self.head = head
        gate.begin(head.framing)
        if head.framing != .none { context.fireChannelRead(wrapInboundOut(.head(head))) }
      case .body(let bytes):
        guard body.count + bytes.readableBytes <= limits.body else { throw .tooLarge(limits.body) }
        body.append(contentsOf: bytes.readableBytesView)
      case .end:
        guard let head else { return }
        defer { (self.head, body) = (nil, []) }
        gate.finish()
        context.fireChannelRead(wrapInboundOut(.request(head, body: body)))
      }
    } catch {
      refuse(error, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isOver else { return }
    switch error {
    case let refusal as WebRefusal: refuse(refusal, context)
    case HTTPParserError.headerOverflow: refuse(.manyFields(limits), context)
    // The connection ended within a request.
    case HTTPParserError.invalidEOFState: break
    case let error as HTTPParserError: refuse(WebRefusal(400, "The request is malformed: \(error)."), context)
    default: context.fireErrorCaught(error)
    }
  }

  private func refuse(_ refusal: WebRefusal, _ context: ChannelHandlerContext) {
    (isOver, body) = (true, [])
    context.fireErrorCaught(refusal)
  }
}
