package corfu.transport.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The machine's sockets: with epoll if available, otherwise with the JDK's selector. */
final class Sockets {

  private static final boolean EPOLL = Epoll.isAvailable();

  /**
   * The longest time without an acknowledgement, in milliseconds: several retransmissions, yet far
   * less than the kernel's own quarter of an hour.
   */
  private static final int UNACKNOWLEDGED_MILLIS = 15_000;

  /** The longest time in which a TLS connection writes its last record when it closes. */
  static final long CLOSE_NOTIFY_MILLIS = 200;

  private Sockets() {}

  /** Creates a group of one thread with this name. */
  static MultiThreadIoEventLoopGroup loop(String name) {
    IoHandlerFactory factory = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), factory);
  }

  static Class<? extends ServerChannel> serverChannel() {
    return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  static Class<? extends SocketChannel> channel() {
    return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /**
   * Ends a connection if the other side no longer acknowledges, because its machine or the way to
   * it has failed.
   */
  static void tune(Bootstrap bootstrap) {
    if (EPOLL) {
      bootstrap.option(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
    }
  }

  /** Closes a channel at once, also if it is one of TLS. Its handler is told when it has closed. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void close(Channel channel) {
    ChannelHandlerContext socket = channel.pipeline().firstContext();
    if (socket == null) {
      channel.close();
    } else {
      socket.close(); // passes the handler of TLS, which would first write a last record
    }
  }

  /** Closes a channel after the socket has accepted all bytes written so far, or cannot. */
  static void closeOnceWritten(Channel channel) {
    onceDrained(channel, () -> close(channel));
  }

  /** Returns whether the socket has accepted all flushed bytes, or never will. */
  static boolean isDrained(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null || waiting.isEmpty();
  }

  /** Returns the number of written bytes that the socket has not accepted. */
  static long unsentBytes(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null ? 0 : waiting.totalPendingWriteBytes();
  }

  /**
   * Calls {@code then} after the socket has accepted all bytes written so far, or after the channel
   * has closed.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void onceDrained(Channel channel, Runnable then) {
    ChannelHandlerContext socket = channel.pipeline().firstContext();
    ChannelFuture written =
        socket == null
            ? channel.writeAndFlush(Unpooled.EMPTY_BUFFER)
            : socket.writeAndFlush(Unpooled.EMPTY_BUFFER); // no record of TLS
    written.addListener(done -> then.run());
  }

  /** Tells the other side that nothing follows the bytes written so far. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void shutdownOutput(Channel channel) {
    SslHandler encryption = channel.pipeline().get(SslHandler.class);
    if (encryption != null) {
      encryption.closeOutbound(); // written to the socket at once
    }
    ((SocketChannel) channel).shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Runs a task on the channel's loop later, even if the channel has closed meanwhile. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void after(long delayMillis, EventLoop loop, Runnable task) {
    loop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
  }

  /** Writes without a flush. A failure closes the channel. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void write(Channel channel, ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }
}
