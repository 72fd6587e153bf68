package corfu.bench.baseline;

import corfu.bench.harness.Workload;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Recorder;

/**
 * The calls of the log over {@link DatagramServer}s. The first server issues tokens; all servers
 * are the chain of every address. One call at a time. Not thread-safe.
 */
public final class DatagramCalls implements AutoCloseable {

  private static final int DEADLINE_MILLIS = 5_000;
  private static final AppendId ID = new AppendId(1, 1);

  private final List<Way> chain;
  private final byte[] received = new byte[DatagramServer.LARGEST_BYTES];

  /** The connection to one server. */
  private record Way(DatagramSocket socket) {

    static Way to(int port) throws IOException {
      var socket = new DatagramSocket();
      socket.setSoTimeout(DEADLINE_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new Way(socket);
    }

    int ask(byte[] request, int length, byte[] reply) {
      try {
        socket.send(new DatagramPacket(request, length));
        var packet = new DatagramPacket(reply, reply.length);
        socket.receive(packet);
        return packet.getLength();
      } catch (IOException e) {
        throw new UncheckedIOException("no answer from a datagram server", e);
      }
    }
  }

  private DatagramCalls(List<Way> chain) {
    this.chain = chain;
  }

  public static DatagramCalls to(List<ChildProcess> servers) throws IOException {
    var chain = new ArrayList<Way>();
    for (ChildProcess server : servers) {
      chain.add(Way.to(server.port()));
    }
    return new DatagramCalls(List.copyOf(chain));
  }

  private Reply ask(Way server, Request request) {
    byte[] frame = bytes(request);
    int length = server.ask(frame, frame.length, received);
    ByteBuffer reply = ByteBuffer.wrap(received, 0, length).slice().order(ByteOrder.LITTLE_ENDIAN);
    Message message = FrameCodec.decode(reply).message();
    if (message instanceof Reply answer) {
      return answer;
    }
    throw new IllegalStateException("it answered with " + message);
  }

  private static byte[] bytes(Request request) {
    var writer = new HeapWriter();
    FrameCodec.encode(request, 1, writer);
    ByteBuffer frame = writer.finish();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  /** Returns a call that sends a request and receives a reply of these sizes. */
  public Runnable echo(Echo.Frames frames) {
    byte[] request = new byte[frames.requestBytes()];
    ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).putInt(4, frames.replyBytes());
    return () -> chain.getFirst().ask(request, request.length, received);
  }

  long token() {
    if (ask(chain.getFirst(), new SequencerRequest.Next(DatagramServer.EPOCH, 1))
        instanceof SequencerReply.Tokens tokens) {
      return tokens.first();
    }
    throw new IllegalStateException("no token was issued");
  }

  public void append(byte[] payload) {
    write(Entry.data(token(), ID, ByteBuffer.wrap(payload)));
  }

  /** Fills an address that has no entry. */
  void fill(long address) {
    write(Entry.hole(address, ID));
  }

  private void write(Entry entry) {
    var request = new LogUnitRequest.Write(DatagramServer.EPOCH, List.of(entry));
    for (Way server : chain) {
      Reply reply = ask(server, request);
      if (!(reply instanceof LogUnitReply.Writes(List<WriteOutcome> outcomes)
          && outcomes.equals(List.of(WriteOutcome.Written.WRITTEN)))) {
        throw new IllegalStateException("a write to " + entry.address() + " ended with " + reply);
      }
    }
  }

  /** Reads from the tail of the chain. */
  public void read(long address) {
    var wanted = AddressSet.of(address);
    Reply reply =
        ask(
            chain.getLast(),
            new LogUnitRequest.Read(DatagramServer.EPOCH, wanted, DatagramServer.LARGEST_BYTES));
    if (!(reply instanceof LogUnitReply.Reads(List<ReadOutcome> outcomes)
        && outcomes.getFirst() instanceof ReadOutcome.Found(Entry entry)
        && entry.address() == address
        && entry.isIntact())) {
      throw new IllegalStateException("a read of " + address + " ended with " + reply);
    }
  }

  public void tail() {
    Reply reply = ask(chain.getFirst(), new SequencerRequest.AskTail(DatagramServer.EPOCH));
    if (!(reply instanceof SequencerReply.Tail)) {
      throw new IllegalStateException("no tail was told: " + reply);
    }
  }

  /**
   * Returns a workload that fills the addresses of abandoned tokens. The time of the tokens does
   * not count.
   */
  public Workload fills() {
    return (long nanos, Recorder latencies) -> {
      long deadline = System.nanoTime() + nanos;
      long count = 0;
      while (System.nanoTime() < deadline) {
        long address = token();
        long begin = System.nanoTime();
        fill(address);
        latencies.recordValue(System.nanoTime() - begin);
        count++;
      }
      return count;
    };
  }

  @Override
  public void close() {
    chain.forEach(way -> way.socket().close());
  }
}
