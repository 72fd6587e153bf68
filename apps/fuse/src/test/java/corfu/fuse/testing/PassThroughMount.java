package corfu.fuse.testing;

import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountOptions;
import corfu.fuse.passthrough.PassThrough;
import corfu.fuse.protocol.InitFlag;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A pass-through file system on a directory of a test, mounted beside it. */
public final class PassThroughMount implements AutoCloseable {

  private final RealWorld world = new RealWorld();
  private final Path source;
  private final PassThrough fileSystem;
  private final FuseMount mount;

  /** Mounts {@code directory/mount}, which shows {@code directory/source}. */
  public PassThroughMount(Path directory, UnaryOperator<MountOptions> change) throws IOException {
    FuseMachine.require();
    source = Files.createDirectories(directory.resolve("source"));
    Path point = Files.createDirectories(directory.resolve("mount"));
    MountOptions options = change.apply(MountOptions.of("pass-through"));
    boolean writeBack = options.features().contains(InitFlag.WRITEBACK_CACHE);
    fileSystem = PassThrough.of(source, Duration.ofSeconds(1), writeBack);
    mount = FuseMount.mount(world, fileSystem, point, options);
  }

  public Path source() {
    return source;
  }

  public Path path() {
    return mount.mountPoint();
  }

  public FuseMount mount() {
    return mount;
  }

  public PassThrough fileSystem() {
    return fileSystem;
  }

  @Override
  public void close() throws IOException {
    mount.close();
    world.close();
  }
}
