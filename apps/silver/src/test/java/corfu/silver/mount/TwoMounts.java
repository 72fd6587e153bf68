package corfu.silver.mount;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Result;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two mounts of one file system for a test, each with its own client. */
final class TwoMounts implements AutoCloseable {

  private final RealWorld world = new RealWorld();
  private final EmbeddedCluster cluster;
  private final Corfu first;
  private final Corfu second;
  private final Silver silver;
  private final SilverFileSystem files;
  private final SilverMount one;
  private final SilverMountOptions options;
  private SilverMount other;

  /** Makes {@code here} and {@code there} in a directory. */
  TwoMounts(Path directory, SilverMountOptions options) throws IOException {
    FuseMachine.require();
    this.options = options;
    cluster =
        EmbeddedCluster.builder()
            .nodes(2)
            .directory(directory.resolve("cluster"))
            .mode(UnitMode.BUFFERED)
            .start();
    CorfuOptions client = cluster.clientOptions().withOperationTimeout(options.timeout());
    first = cluster.connect(client);
    second = cluster.connect(client);
    silver = Silver.over(first);
    files = valueOf(silver.create("files", silver.caller(0, 0)));
    Path here = Files.createDirectory(directory.resolve("here"));
    Files.createDirectory(directory.resolve("there"));
    one = SilverMount.mount(world, silver, files, "files", here, options);
    other = mount(directory.resolve("there"));
  }

  private SilverMount mount(Path there) throws IOException {
    Silver elsewhere = Silver.over(second);
    return SilverMount.mount(
        world, elsewhere, valueOf(elsewhere.open("files")), "files", there, options);
  }

  static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  Path here() {
    return one.directory();
  }

  Path there() {
    return other.directory();
  }

  /** Stops all servers. */
  void stopCluster() {
    for (int i = 1; i <= 2; i++) {
      cluster.kill("n" + i);
    }
  }

  /** Starts all servers again, with what they had on their disks. */
  void startCluster() {
    for (int i = 1; i <= 2; i++) {
      cluster.restart("n" + i);
    }
  }

  Corfu corfu() {
    return first;
  }

  Silver silver() {
    return silver;
  }

  SilverFileSystem files() {
    return files;
  }

  /** Ends the second mount. */
  void closeThere() throws IOException {
    other.close();
  }

  /** Mounts again what {@link #closeThere} has ended. */
  void mountThere() throws IOException {
    other = mount(other.directory());
  }

  /** Ends the first mount, even if it is in use. */
  void closeHere() throws IOException {
    one.close();
  }

  @Override
  public void close() throws IOException {
    one.close();
    other.close();
    first.close();
    second.close();
    cluster.close();
    world.close();
  }
}
