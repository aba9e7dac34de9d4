internal import NIOCore
internal import Posix

/// Stops accepting for a moment after an error, because the socket would report the same error again at once.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let breath = TimeAmount.seconds(1)

  private let settings: WebServer.Settings

  init(_ settings: WebServer.Settings) { self.settings = settings }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, System.isOutOfDescriptors(SystemError("accept", error.errnoCode)) {
      settings.report(.outOfDescriptors)
    }
    let channel = context.channel
    try? channel.syncOptions?.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.breath) {
      try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}
