package corfu.transport.internal.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Stands between the socket and a TLS handshake. If the handshake fails, it lets the client read
 * the alert that says why, because a socket that is closed while bytes arrive loses its last ones.
 * Lives on the server's loop.
 */
public final class LingeringClose extends ChannelDuplexHandler {

  /** The time in which the client can read the alert, and close the connection. */
  private static final long LINGER_MILLIS = 1_000;

  private boolean isEnding;

  @Override
  @SuppressWarnings("FutureReturnValueIgnored")
  public void close(ChannelHandlerContext context, ChannelPromise closed) {
    if (isEnding || !context.channel().isActive()) {
      context.close(closed);
      return;
    }
    isEnding = true;
    ((SocketChannel) context.channel()).shutdownOutput();
    context.channel().config().setAutoRead(true);
    context
        .channel()
        .eventLoop()
        .schedule(() -> context.close(closed), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isEnding) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }
}
