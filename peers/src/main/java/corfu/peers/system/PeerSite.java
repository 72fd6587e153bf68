package corfu.peers.system;

import corfu.node.local.TemporaryDirectory;
import corfu.peers.program.AbsentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The place of one system: a temporary directory and its server processes. On close, and when a
 * signal stops this process, all servers are killed and the directory is deleted.
 *
 * <p>If this process is killed, the processes that {@link #start} started are killed, too, but the
 * directory stays.
 */
public final class PeerSite implements AutoCloseable {

  /** The name that replaces the directory in printed configurations. */
  private static final String HERE = "DIR";

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(20);

  private final TemporaryDirectory directory = TemporaryDirectory.create("corfu-peers-");
  private final List<AutoCloseable> running = new CopyOnWriteArrayList<>();
  private final Thread cleaner = new Thread(this::remove, "cleaner");

  public PeerSite() {
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  public Path directory() {
    return directory.path();
  }

  /** Returns the text without the parts that differ between runs. */
  String shown(String text) {
    return text.replace(directory.path().toString(), HERE);
  }

  /** Returns an unused port of loopback. */
  int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no port of loopback is free", e);
    }
  }

  List<Integer> freePorts(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no %d ports of loopback are free".formatted(count), e);
    } finally {
      sockets.forEach(PeerSite::closeQuietly);
    }
  }

  Path makeDirectory(String name) {
    try {
      return Files.createDirectories(directory.path().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a directory in " + directory.path(), e);
    }
  }

  Path write(String file, String text) {
    Path path = directory.path().resolve(file);
    try {
      return Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  /** Starts a server, whose output goes to a log of this name. */
  ServerProcess start(String name, ProcessBuilder command) throws AbsentException {
    var server = ServerProcess.start(name, command, directory.path());
    running.add(server);
    return server;
  }

  /** Runs a program to its end, and fails if the program does. */
  void run(String name, ProcessBuilder command) throws AbsentException {
    start(name, command).awaitSuccess(START);
  }

  /** Waits until the server listens. */
  void awaitPort(ServerProcess server, int port) throws AbsentException {
    long begin = System.nanoTime();
    while (!listens(port)) {
      server.refuseIfEnded();
      if (System.nanoTime() - begin > START.toNanos()) {
        throw new AbsentException(
            "%s does not listen after %d s; it says: %s"
                .formatted(server.name(), START.toSeconds(), server.lastWords()));
      }
      pause();
    }
  }

  private static void pause() throws AbsentException {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbsentException("interrupted while it started", e);
    }
  }

  private static boolean listens(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Closes something else with this site, before the servers that are already running. */
  void alsoClose(AutoCloseable other) {
    running.add(other);
  }

  private void remove() {
    running.reversed().forEach(PeerSite::closeQuietly);
    directory.close();
  }

  /** A failed close must not prevent the others. */
  private static void closeQuietly(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }
}
