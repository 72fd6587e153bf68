package corfu.fuse.mount;

import corfu.fuse.testing.OneFile;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Path;

/** A program that mounts, and serves until it is killed. */
public final class MountingProcess {

  private MountingProcess() {}

  public static void main(String[] arguments) throws IOException {
    FuseMount mounted =
        FuseMount.mount(
            new RealWorld(), new OneFile(), Path.of(arguments[0]), MountOptions.of("test"));
    System.out.println("mounted");
    mounted.end().join();
  }
}
