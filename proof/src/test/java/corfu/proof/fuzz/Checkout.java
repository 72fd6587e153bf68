package corfu.proof.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the checkout that the tests run in. */
final class Checkout {

  private Checkout() {}

  static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("build/find-jdk"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("run inside the checkout");
      }
    }
    return directory;
  }
}
