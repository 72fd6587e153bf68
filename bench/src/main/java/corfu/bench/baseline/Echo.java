package corfu.bench.baseline;

import corfu.bench.harness.Workload;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Recorder;

/**
 * The limit of loopback and the network library. One connection carries frames of the same sizes as
 * ours, as many in flight, without work on them.
 */
public final class Echo implements Workload {

  private final EventLoopGroup group = Sockets.oneThread();
  private final Frames frames;
  private final int inFlight;
  private final Channel channel;
  private final Client client;

  /**
   * The frames of an echo.
   *
   * @param requestBytes the size of a request, 1 or more
   * @param replyBytes the size of a reply, 1 or more
   * @param operations the number of operations in one round trip
   */
  public record Frames(int requestBytes, int replyBytes, int operations) {}

  Echo(int port, Frames frames, int inFlight) {
    this.frames = frames;
    this.inFlight = inFlight;
    this.client = new Client();
    this.channel =
        new Bootstrap()
            .group(group)
            .channel(Sockets.client())
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(client)
            .connect(InetAddress.getLoopbackAddress(), port)
            .syncUninterruptibly()
            .channel();
    ByteBuf greeting = channel.alloc().buffer(EchoServer.GREETING_BYTES);
    greeting.writeInt(frames.requestBytes()).writeInt(frames.replyBytes());
    channel.writeAndFlush(greeting).syncUninterruptibly();
  }

  @Override
  public long run(long nanos, Recorder latencies) {
    var done = new CompletableFuture<Long>();
    channel.eventLoop().execute(() -> client.start(System.nanoTime() + nanos, latencies, done));
    return done.join() * frames.operations();
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    var _ = group.shutdownGracefully();
  }

  private final class Client extends ChannelInboundHandlerAdapter {

    private final long[] sentAt = new long[inFlight];
    private Recorder recorder = new Recorder(1);
    private CompletableFuture<Long> done = new CompletableFuture<>();
    private ByteBuf request = Unpooled.EMPTY_BUFFER;
    private long deadline;
    private long sent;
    private long answered;
    private long bytes;

    private void start(long until, Recorder latencies, CompletableFuture<Long> result) {
      if (!request.isReadable()) {
        request = channel.alloc().directBuffer(frames.requestBytes());
        request.writeZero(frames.requestBytes());
      }
      deadline = until;
      recorder = latencies;
      done = result;
      sent = 0;
      answered = 0;
      bytes = 0;
      long now = System.nanoTime();
      for (int i = 0; i < inFlight; i++) {
        send(now);
      }
      channel.flush();
    }

    private void send(long now) {
      sentAt[(int) (sent++ % inFlight)] = now;
      var _ = channel.write(request.retainedDuplicate(), channel.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      bytes += buffer.readableBytes();
      buffer.release();
      long now = System.nanoTime();
      while (bytes >= frames.replyBytes()) {
        bytes -= frames.replyBytes();
        recorder.recordValue(now - sentAt[(int) (answered++ % inFlight)]);
        if (now < deadline) {
          send(now);
        }
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
      if (sent > 0 && answered == sent) {
        done.complete(answered);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      done.completeExceptionally(new IOException("the echo server has gone"));
      request.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      done.completeExceptionally(cause);
    }
  }
}
