package corfu.nbd.internal.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.bouncycastle.tls.TlsServerProtocol;

/** Encrypts a connection with a pre-shared key. */
final class PskHandler extends ChannelDuplexHandler {

  private final TlsServerProtocol protocol = new TlsServerProtocol();
  private final PskServer server;
  private boolean isComplete;
  private boolean isTold;

  PskHandler(PskFile keys) {
    this.server = new PskServer(keys, () -> isComplete = true);
  }

  boolean isHandshake() {
    return !isTold;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws IOException {
    protocol.accept(server);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the end of a close
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    byte[] bytes = new byte[in.readableBytes()];
    in.readBytes(bytes).release();
    try {
      protocol.offerInput(bytes);
    } catch (IOException failed) {
      flushOutput(ctx); // the alert
      tell(ctx, new SslHandshakeCompletionEvent(failed));
      ctx.close();
      return;
    }
    flushOutput(ctx);
    if (isComplete) {
      tell(ctx, SslHandshakeCompletionEvent.SUCCESS);
    }
    int available = protocol.getAvailableInputBytes();
    if (available > 0) {
      byte[] plain = new byte[available];
      int read = protocol.readInput(plain, 0, available);
      ctx.fireChannelRead(ctx.alloc().buffer(read).writeBytes(plain, 0, read));
    }
    if (protocol.isClosed()) {
      ctx.close();
    }
  }

  private void tell(ChannelHandlerContext ctx, SslHandshakeCompletionEvent outcome) {
    if (!isTold) {
      isTold = true;
      ctx.fireUserEventTriggered(outcome);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel
  private void flushOutput(ChannelHandlerContext ctx) {
    if (protocol.getAvailableOutputBytes() > 0) {
      ctx.writeAndFlush(output(ctx), ctx.voidPromise());
    }
  }

  private ByteBuf output(ChannelHandlerContext ctx) {
    int available = protocol.getAvailableOutputBytes();
    byte[] bytes = new byte[available];
    int read = protocol.readOutput(bytes, 0, available);
    return ctx.alloc().directBuffer(read).writeBytes(bytes, 0, read);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf plain = (ByteBuf) message;
    try {
      byte[] bytes = new byte[plain.readableBytes()];
      plain.readBytes(bytes);
      if (bytes.length > 0) {
        protocol.writeApplicationData(bytes, 0, bytes.length);
      }
      ctx.write(output(ctx), promise);
    } catch (IOException failed) {
      promise.tryFailure(failed);
    } finally {
      ReferenceCountUtil.release(plain);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    try {
      protocol.close();
      flushOutput(ctx); // tells the client that nothing was cut off
    } catch (IOException lost) {
      // the connection is closed anyway
    }
    ctx.close(promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    tell(ctx, new SslHandshakeCompletionEvent(new ClosedChannelException()));
    ctx.fireChannelInactive();
  }
}
