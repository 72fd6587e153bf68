package corfu.peers.system;

import corfu.node.local.TemporaryDirectory;
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
 * Where one system runs: a temporary directory and the processes of its servers. All of them are
 * killed and the directory is deleted when it is closed, and when this process is stopped by a
 * signal. If this process is killed, what {@link #start} started dies, too, and the directory
 * stays.
 */
public final class Site implements AutoCloseable {

  /** Written for the directory where configurations are shown. */
  private static final String HERE = "DIR";

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(20);

  private final TemporaryDirectory directory = TemporaryDirectory.create("corfu-peers-");
  private final List<AutoCloseable> running = new CopyOnWriteArrayList<>();
  private final Thread cleaner = new Thread(this::remove, "cleaner");

  public Site() {
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  public Path directory() {
    return directory.path();
  }

  /** The text without what differs from run to run. */
  String shown(String text) {
    return text.replace(directory.path().toString(), HERE);
  }

  /** A port of loopback that nobody uses now. */
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
      sockets.forEach(Site::closeQuietly);
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

  /** Starts a server, which says what it has to say in a log of this name. */
  ServerProcess start(String name, ProcessBuilder command) throws AbsentException {
    var server = ServerProcess.start(name, command, directory.path());
    running.add(server);
    return server;
  }

  /** Runs a program to its end, which must be a good one. */
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

  /** Something else that ends with this site, before the servers that are running already. */
  void alsoClose(AutoCloseable other) {
    running.add(other);
  }

  private void remove() {
    running.reversed().forEach(Site::closeQuietly);
    directory.close();
  }

  /** One that cannot be ended must not keep the others from it. */
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
