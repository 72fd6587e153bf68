package corfu.bench.baseline;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The simplest possible server, in a process of its own. For each request of a fixed size it sends
 * a reply of a fixed size. The first 8 bytes from a client are these two sizes. It neither parses
 * nor copies anything.
 *
 * <p>It prints its port, and ends when its standard input ends.
 */
public final class EchoServer {

  /** The size of the greeting of a client: the bytes of a request and the bytes of a reply. */
  static final int GREETING_BYTES = 8;

  private EchoServer() {}

  public static void main(String[] arguments) throws IOException {
    var group = Sockets.oneThread();
    var bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(Sockets.server())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new Echo());
                  }
                });
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var listening = bootstrap.bind(address).syncUninterruptibly().channel();
    System.out.println(((InetSocketAddress) listening.localAddress()).getPort());
    while (System.in.read() >= 0) {
      // no input is expected; only the end of the stream matters
    }
    var _ = group.shutdownGracefully();
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {

    private final ByteBuf greeting = Unpooled.buffer(GREETING_BYTES);
    private ByteBuf reply = Unpooled.EMPTY_BUFFER;
    private int requestBytes;
    private long unanswered;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      try {
        if (requestBytes == 0) {
          greet(context, bytes);
        }
        unanswered += bytes.readableBytes();
      } finally {
        bytes.release();
      }
      while (requestBytes > 0 && unanswered >= requestBytes) {
        unanswered -= requestBytes;
        var _ = context.write(reply.retainedDuplicate(), context.voidPromise());
      }
    }

    private void greet(ChannelHandlerContext context, ByteBuf bytes) {
      greeting.writeBytes(bytes, Math.min(bytes.readableBytes(), greeting.writableBytes()));
      if (!greeting.isWritable()) {
        requestBytes = greeting.readInt();
        int replyBytes = greeting.readInt();
        reply = context.alloc().directBuffer(replyBytes).writeZero(replyBytes);
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      reply.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
