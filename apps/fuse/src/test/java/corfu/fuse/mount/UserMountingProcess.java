package corfu.fuse.mount;

import corfu.fuse.testing.OneFile;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Path;

/** A program that a user without privileges runs: it mounts, and unmounts when its input ends. */
public final class UserMountingProcess {

  private UserMountingProcess() {}

  public static void main(String[] arguments) throws IOException {
    MountOptions options =
        MountOptions.of("test").with(new MountOptions.Access(false, true, false, false));
    Path directory = Path.of(arguments[0]);
    FuseMount mounted = FuseMount.mount(new RealWorld(), new OneFile(), directory, options);
    System.out.println("mounted");
    byte[] unused = System.in.readAllBytes();
    mounted.unmount();
    System.out.println("unmounted");
    System.exit(0);
  }
}
