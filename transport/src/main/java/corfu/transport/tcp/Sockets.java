package corfu.transport.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The machine's sockets: epoll where there is one, the JDK's selector elsewhere. */
final class Sockets {

  private static final boolean EPOLL = Epoll.isAvailable();

  /** Several retransmissions, yet far from the kernel's own quarter of an hour. */
  private static final int UNACKNOWLEDGED_MILLIS = 15_000;

  private Sockets() {}

  /** One thread of this name. */
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
   * Lets a connection end whose other side has stopped to acknowledge: its machine is gone, or the
   * way to it.
   */
  static void tune(Bootstrap bootstrap) {
    if (EPOLL) {
      bootstrap.option(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
    }
  }

  /** Closes a channel; that it has closed is told to its handler. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void close(Channel channel) {
    channel.close();
  }

  /** Whether all that was flushed has been taken by the socket, or never will be. */
  static boolean isDrained(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null || waiting.isEmpty();
  }

  /** What was written and the socket has not taken. */
  static long unsentBytes(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null ? 0 : waiting.totalPendingWriteBytes();
  }

  /** Calls {@code then} when all that was written so far has been taken, or the channel closes. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void onceDrained(Channel channel, Runnable then) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> then.run());
  }

  /** Tells the other side that nothing follows what was written. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void shutdownOutput(Channel channel) {
    ((SocketChannel) channel).shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Runs a task on the channel's loop later, whatever has become of the channel. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void after(long delayMillis, EventLoop loop, Runnable task) {
    loop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
  }

  /** Writes without a flush; a failure closes the channel. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void write(Channel channel, ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }
}
