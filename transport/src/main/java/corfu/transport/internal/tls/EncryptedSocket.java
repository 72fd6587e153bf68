package corfu.transport.internal.tls;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * A blocking socket with TLS. A reader gets each record by one read of the socket, whereas the
 * JDK's own sockets of TLS need two.
 */
public final class EncryptedSocket implements LoneSocket {

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final SSLEngine engine;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The bytes between the socket and the engine; the engine may want them outside of the heap. */
  private final ByteBuffer received;

  private final ByteBuffer sending;

  /** The decrypted bytes that the reader has not taken. */
  private final ByteBuffer plain;

  private final byte[] arrived;
  private final byte[] leaving;

  private EncryptedSocket(Socket socket, SSLEngine engine) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.engine = engine;
    int record = engine.getSession().getPacketBufferSize();
    this.received = buffer(record).flip();
    this.sending = buffer(record);
    this.plain = buffer(Math.max(record, engine.getSession().getApplicationBufferSize())).flip();
    this.arrived = new byte[record];
    this.leaving = new byte[record];
  }

  private ByteBuffer buffer(int bytes) {
    return engine instanceof ReferenceCounted
        ? ByteBuffer.allocateDirect(bytes)
        : ByteBuffer.allocate(bytes);
  }

  /**
   * Does the handshake over a connected socket.
   *
   * @param engine the client's engine, which is released when the socket is closed
   * @param deadlineNanos the end of the handshake, by the clock {@code nanoTime}
   */
  public static EncryptedSocket open(
      Socket socket, SSLEngine engine, long deadlineNanos, LongSupplier nanoTime)
      throws IOException {
    try {
      engine.setUseClientMode(true);
      EncryptedSocket encrypted = new EncryptedSocket(socket, engine);
      encrypted.shakeHands(deadlineNanos, nanoTime);
      return encrypted;
    } catch (IOException | RuntimeException e) {
      LoneSocket.closeQuietly(socket);
      ReferenceCountUtil.safeRelease(engine);
      throw e;
    }
  }

  public SSLEngine engine() {
    return engine;
  }

  private void shakeHands(long deadlineNanos, LongSupplier nanoTime) throws IOException {
    engine.beginHandshake();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> send(ByteBuffer.allocate(0));
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          long left = deadlineNanos - nanoTime.getAsLong();
          if (left <= 0) {
            throw new SocketTimeoutException("no TLS handshake by the deadline");
          }
          if (!unwrap()
              && engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP
              && !receive((int) TimeUnit.NANOSECONDS.toMillis(left) + 1)) {
            throw new EOFException("it closed the connection during the TLS handshake");
          }
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public int read(byte[] to, int at, int length, int timeoutMillis) throws IOException {
    if (!plain.hasRemaining() && !unwrap() && !plain.hasRemaining()) {
      if (!receive(timeoutMillis)) {
        return -1;
      }
      while (!plain.hasRemaining() && unwrap()) {
        // records that are no data, for example tickets of sessions
      }
    }
    int count = Math.min(length, plain.remaining());
    plain.get(to, at, count);
    return count;
  }

  /** Returns false at the end of the connection. */
  private boolean receive(int timeoutMillis) throws IOException {
    received.compact();
    try {
      socket.setSoTimeout(timeoutMillis);
      int count = in.read(arrived, 0, Math.min(arrived.length, received.remaining()));
      if (count < 0) {
        return false;
      }
      received.put(arrived, 0, count);
      return true;
    } finally {
      received.flip();
    }
  }

  /**
   * Decrypts one record.
   *
   * @return whether a record was there; it may have had no data for the reader
   */
  private boolean unwrap() throws IOException {
    plain.clear();
    SSLEngineResult result;
    try {
      result = engine.unwrap(received, plain);
    } finally {
      plain.flip();
    }
    if (result.getStatus() == Status.CLOSED) {
      throw new EOFException("it closed the connection");
    }
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      throw new SSLException("it sent a record of TLS that is too large");
    }
    switch (result.getHandshakeStatus()) {
      case NEED_TASK -> runTasks();
      case NEED_WRAP -> {
        if (isOpen()) {
          send(ByteBuffer.allocate(0)); // an answer of the engine, for example to a change of keys
        }
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> {}
    }
    return result.bytesConsumed() > 0 || result.bytesProduced() > 0;
  }

  private boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void write(byte[] from, int at, int length) throws IOException {
    send(ByteBuffer.wrap(from, at, length));
  }

  private void send(ByteBuffer bytes) throws IOException {
    do {
      sending.clear();
      SSLEngineResult result = engine.wrap(bytes, sending);
      if (result.getStatus() != Status.OK) {
        throw new SSLException("its TLS connection cannot be written: " + result.getStatus());
      }
      sending.flip();
      int count = sending.remaining();
      sending.get(leaving, 0, count);
      out.write(leaving, 0, count);
    } while (bytes.hasRemaining());
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      LoneSocket.closeQuietly(socket);
      ReferenceCountUtil.safeRelease(engine);
    }
  }
}
