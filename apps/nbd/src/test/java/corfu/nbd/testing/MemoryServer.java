package corfu.nbd.testing;

import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServer;
import corfu.nbd.NbdServerOptions;
import corfu.nbd.NbdTls;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Serves a disk in memory of 1 GiB to tools by hand: {@code MemoryServer SOCKET [psk FILE | x509
 * KEY CHAIN [AUTHORITY]]}.
 */
public final class MemoryServer {

  private static final long SIZE = 1L << 30;

  private MemoryServer() {}

  /** Runs until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    MemoryExports exports =
        new MemoryExports()
            .with("", new MemoryDevice(SIZE))
            .with("disk", new MemoryDevice(SIZE))
            .with("past", new MemoryDevice(SIZE, true));
    NbdTls tls =
        arguments.length == 3
            ? new NbdTls.PreSharedKeys(NbdTls.Requirement.REQUIRED, Path.of(arguments[2]))
            : arguments.length >= 4
                ? new NbdTls.Certificates(
                    NbdTls.Requirement.REQUIRED,
                    Path.of(arguments[2]),
                    Path.of(arguments[3]),
                    arguments.length == 5 ? Optional.of(Path.of(arguments[4])) : Optional.empty())
                : new NbdTls.Off();
    NbdAddress address = new NbdAddress.UnixSocket(Path.of(arguments[0]));
    try (RealWorld world = new RealWorld();
        NbdServer server =
            NbdServer.start(NbdServerOptions.at(address).with(tls), exports, world)) {
      System.out.println("serving on " + server.address());
      new CountDownLatch(1).await();
    }
  }
}
