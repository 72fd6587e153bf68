package corfu.fuse.passthrough;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A program that tries to lock one byte of a file, and prints whether it could. */
public final class LockingProcess {

  private LockingProcess() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var lock = channel.tryLock(Long.parseLong(arguments[1]), 1, false);
      System.out.println(lock == null ? "refused" : "locked");
    }
  }
}
