package corfu.bench.silver;

import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountOptions;
import corfu.fuse.passthrough.PassThrough;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process of a pass-through mount. The arguments are the local directory and the mount point.
 */
public final class PassThroughMain {

  private static final Duration VALID = Duration.ofSeconds(1);

  private PassThroughMain() {}

  /** Mounts, and serves until somebody unmounts. */
  public static void main(String[] arguments) throws IOException {
    try (var world = new RealWorld()) {
      PassThrough files = PassThrough.of(Path.of(arguments[0]), VALID, false);
      FuseMount mount =
          FuseMount.mount(
              world, files, Path.of(arguments[1]), MountOptions.of("corfu-bench-pass-through"));
      mount.end().join();
    }
  }
}
