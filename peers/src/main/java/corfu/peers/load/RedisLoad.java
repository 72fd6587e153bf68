package corfu.peers.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Appends to one Redis stream with {@code XADD}. It speaks the protocol itself, over its own
 * connection, without a client library.
 */
public final class RedisLoad {

  private static final String STREAM = "log";

  private RedisLoad() {}

  /** Runs the load; the argument is the server's port on loopback. */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    LoadDriver.serve(
        () ->
            (payload, isLone) ->
                isLone ? new OneByOne(port, payload) : new Pipeline(port, payload));
  }

  private static byte[] append(byte[] payload) {
    return command("XADD".getBytes(StandardCharsets.US_ASCII), words(STREAM, "*", "e"), payload);
  }

  private static byte[][] words(String... words) {
    byte[][] bytes = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      bytes[i] = words[i].getBytes(StandardCharsets.US_ASCII);
    }
    return bytes;
  }

  private static byte[] command(byte[] name, byte[][] arguments, byte[] last) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(("*" + (arguments.length + 2) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    bulk(out, name);
    for (byte[] argument : arguments) {
      bulk(out, argument);
    }
    bulk(out, last);
    return out.toByteArray();
  }

  private static void bulk(ByteArrayOutputStream out, byte[] bytes) {
    out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(bytes);
    out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** A connection. It understands the kinds of replies that XADD and XTRIM have. */
  private static final class Connection {

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final OutputStream out;

    Connection(int port) throws IOException {
      var socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
      out = socket.getOutputStream();
    }

    void awaitReply() throws IOException {
      String line = line();
      switch (line.charAt(0)) {
        case '$' -> in.skipNBytes(Integer.parseInt(line.substring(1)) + 2L);
        case ':', '+' -> {}
        default -> throw new IOException("Redis refused: " + line);
      }
    }

    private String line() throws IOException {
      var line = new StringBuilder();
      for (int next = in.read(); next != '\r'; next = in.read()) {
        if (next < 0) {
          throw new IOException("Redis closed the connection");
        }
        line.append((char) next);
      }
      in.skipNBytes(1);
      return line.toString();
    }

    void ask(byte[] command) throws IOException {
      out.write(command);
      awaitReply();
    }

    /** Frees the stream's memory. */
    void trim() throws IOException {
      ask(
          command(
              "XTRIM".getBytes(StandardCharsets.US_ASCII),
              words(STREAM, "MAXLEN"),
              "0".getBytes(StandardCharsets.US_ASCII)));
    }
  }

  /** Appends one entry at a time: the calling thread writes the command and reads the reply. */
  private static final class OneByOne implements PeerAppender {

    private final Connection connection;
    private final byte[] command;

    OneByOne(int port, byte[] payload) throws IOException {
      connection = new Connection(port);
      command = append(payload);
    }

    @Override
    public void await() throws IOException {
      connection.ask(command);
    }

    @Override
    public CompletableFuture<?> start() throws IOException {
      await();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void rest() throws IOException {
      connection.trim();
    }
  }

  /**
   * Appends in batches: one thread writes all waiting commands at once, another one reads replies.
   */
  private static final class Pipeline implements PeerAppender {

    private static final int MOST_AT_ONCE = 1 << 18;

    private final Connection connection;
    private final Connection control;
    private final byte[] command;
    private final ConcurrentLinkedQueue<CompletableFuture<Void>> waiting =
        new ConcurrentLinkedQueue<>();
    private final Object lock = new Object();
    private int unsent;

    Pipeline(int port, byte[] payload) throws IOException {
      connection = new Connection(port);
      control = new Connection(port);
      command = append(payload);
      Thread.ofPlatform().daemon().name("redis-writer").start(this::write);
      Thread.ofPlatform().daemon().name("redis-reader").start(this::read);
    }

    @Override
    public CompletableFuture<?> start() {
      var answer = new CompletableFuture<Void>();
      waiting.add(answer);
      synchronized (lock) {
        unsent++;
        if (unsent == 1) {
          lock.notify();
        }
      }
      return answer;
    }

    private void write() {
      int most = Math.max(1, MOST_AT_ONCE / command.length);
      byte[] many = new byte[most * command.length];
      for (int i = 0; i < most; i++) {
        System.arraycopy(command, 0, many, i * command.length, command.length);
      }
      try {
        while (true) {
          connection.out.write(many, 0, take(most) * command.length);
        }
      } catch (IOException | InterruptedException e) {
        fail(e);
      }
    }

    private int take(int most) throws InterruptedException {
      synchronized (lock) {
        while (unsent == 0) {
          lock.wait();
        }
        int taken = Math.min(unsent, most);
        unsent -= taken;
        return taken;
      }
    }

    private void read() {
      try {
        while (true) {
          connection.awaitReply();
          var answered = waiting.poll();
          if (answered != null) {
            answered.complete(null);
          }
        }
      } catch (IOException e) {
        fail(e);
      }
    }

    private void fail(Exception reason) {
      for (var each = waiting.poll(); each != null; each = waiting.poll()) {
        each.completeExceptionally(reason);
      }
    }

    @Override
    public void rest() throws IOException {
      control.trim();
    }
  }
}
