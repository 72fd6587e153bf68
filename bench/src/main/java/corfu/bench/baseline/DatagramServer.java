package corfu.bench.baseline;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.roles.Lease;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.sequencer.Sequencer;
import corfu.world.Offload;
import corfu.world.RealDisk;
import corfu.world.RealWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The shortest path to a log unit and a sequencer, in a process of its own. One thread receives a
 * datagram, executes its request with the work of the disk, and sends the reply as another
 * datagram. The cost is the cost of the roles, without connections, batches, timeouts and other
 * threads. Lost datagrams are not sent again. A datagram that begins with four zeros is an echo. It
 * contains the size of its reply.
 *
 * <p>Its arguments are a {@link UnitMode} and a directory. The server prints its port, and ends
 * when its standard input ends.
 */
public final class DatagramServer {

  /** The only epoch of this server. */
  static final Epoch EPOCH = Epoch.FIRST;

  /** The largest payload of a datagram, in bytes. */
  static final int LARGEST_BYTES = 65_507;

  private static final long MEMORY_BYTES = 256L << 20;

  private final DatagramChannel channel;
  private final LogUnit unit;
  private final Sequencer sequencer;
  private final ByteBuffer request = buffer();
  private final ByteBuffer reply = buffer();

  private DatagramServer(DatagramChannel channel, LogUnit unit, Sequencer sequencer) {
    this.channel = channel;
    this.unit = unit;
    this.sequencer = sequencer;
  }

  static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(LARGEST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static void main(String[] arguments) throws IOException {
    UnitMode mode = UnitMode.valueOf(arguments[0]);
    var world = new RealWorld();
    LogUnit unit =
        mode == UnitMode.MEMORY
            ? LogUnit.inMemory(LogUnitOptions.inMemory(MEMORY_BYTES), world)
            : LogUnit.open(
                RealDisk.open(Path.of(arguments[1])),
                LogUnitOptions.onDisk(mode),
                world,
                Offload.inline(),
                Offload.inline());
    var sequencer = new Sequencer(Limits.DEFAULT, 1, Lease.always());
    var channel = DatagramChannel.open();
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var server = new DatagramServer(channel, unit, sequencer);
    server.begin();
    Thread.ofPlatform().daemon().name("datagrams").start(server::serve);
    System.out.println(((InetSocketAddress) channel.getLocalAddress()).getPort());
    while (System.in.read() >= 0) {
      // no input is expected; only the end of the stream matters
    }
    Runtime.getRuntime().halt(0); // the parent process deletes its files
  }

  /** Starts the roles in the only epoch: the server is a cluster of its own. */
  private void begin() {
    var self = List.of(new Endpoint("self", 1));
    var layout =
        Layout.initial(new ClusterId(new UUID(1, 1)), self, self, self, 1)
            .withIncarnations(Map.of(), Map.of(self.getFirst(), unit.incarnation()));
    List<Reply> replies = new ArrayList<>();
    unit.handle(new LogUnitRequest.Install(layout), replies::add);
    unit.turnEnded();
    sequencer.handle(new SequencerRequest.Start(EPOCH, 0, 1), replies::add);
    if (!replies.equals(List.of(Reply.Done.DONE, Reply.Done.DONE))) {
      throw new IllegalStateException("its roles were not put to work: " + replies);
    }
  }

  private void serve() {
    try {
      while (true) {
        SocketAddress from = channel.receive(request.clear());
        request.flip();
        if (request.getInt(0) == 0) {
          channel.send(reply.clear().limit(request.getInt(4)), from);
        } else {
          take(FrameCodec.decode(request), from);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the datagrams' socket has failed", e);
    }
  }

  private void take(Frame frame, SocketAddress from) {
    Consumer<Reply> answer = reply -> answer(reply, frame.requestId(), from);
    switch (frame.message()) {
      case LogUnitRequest forUnit -> {
        unit.handle(forUnit, answer);
        unit.turnEnded();
      }
      case SequencerRequest forSequencer -> sequencer.handle(forSequencer, answer);
      default -> answer.accept(new Failure.NotServing("it is a log unit and a sequencer"));
    }
  }

  private void answer(Reply message, long requestId, SocketAddress to) {
    var writer = new HeapWriter();
    FrameCodec.encode(message, requestId, writer);
    try {
      channel.send(reply.clear().put(writer.finish()).flip(), to);
    } catch (IOException e) {
      throw new IllegalStateException("cannot answer " + to, e);
    }
  }
}
