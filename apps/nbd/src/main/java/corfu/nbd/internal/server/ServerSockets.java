package corfu.nbd.internal.server;

import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServerException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

/** The machine's sockets. */
public enum ServerSockets {
  /** Those of Linux. */
  EPOLL,
  /** Those of the JDK, which every machine has. */
  JDK;

  /** Returns those of Linux if available. */
  public static ServerSockets best() {
    return Epoll.isAvailable() ? EPOLL : JDK;
  }

  IoHandlerFactory newHandlers() {
    return switch (this) {
      case EPOLL -> EpollIoHandler.newFactory();
      case JDK -> NioIoHandler.newFactory();
    };
  }

  Class<? extends ServerChannel> channel(NbdAddress address) {
    return switch (address) {
      case NbdAddress.Tcp tcp ->
          this == EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
      case NbdAddress.UnixSocket unix ->
          this == EPOLL ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class;
    };
  }

  SocketAddress socketAddress(NbdAddress address) {
    return switch (address) {
      case NbdAddress.Tcp tcp -> new InetSocketAddress(tcp.host(), tcp.port());
      case NbdAddress.UnixSocket unix ->
          this == EPOLL
              ? new DomainSocketAddress(unix.path().toFile())
              : UnixDomainSocketAddress.of(unix.path());
    };
  }

  /**
   * Removes the socket of a server that does not live any more.
   *
   * @throws NbdServerException if a server lives, or the file is no socket
   */
  static void removeStale(Path path) {
    try {
      PosixFileAttributes found =
          Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!found.isOther()) {
        throw new NbdServerException(path + " exists, and is no socket; choose another path");
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException unreadable) {
      throw new NbdServerException("cannot look at " + path, unreadable);
    }
    if (isAlive(path)) {
      throw new NbdServerException("another server listens on " + path + "; stop it first");
    }
    delete(path);
  }

  private static boolean isAlive(Path path) {
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return probe.isConnected();
    } catch (IOException nobodyListens) {
      return false;
    }
  }

  static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException kept) {
      throw new NbdServerException("cannot delete the socket " + path, kept);
    }
  }
}
