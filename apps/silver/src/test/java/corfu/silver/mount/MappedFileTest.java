package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strict mounts tell the kernel which pages of open files others have changed. */
@Timeout(120)
class MappedFileTest {

  @TempDir private Path directory;

  private static Process mapping(Path file, String... texts) throws IOException {
    return MappingProcess.start(
        Stream.concat(Stream.of("read", file.toString()), Arrays.stream(texts)).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 100_000})
  void aMappingSeesTheWritesOfAnotherMountWithoutAReadOrAnOpen(int size) throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, SilverMountOptions.DEFAULT)) {
      byte[] bytes = Arrays.copyOf("one!".getBytes(UTF_8), size);
      Files.write(mounts.there().resolve("file"), bytes);
      Process process = mapping(mounts.here().resolve("file"), "one!", "two!", "1234");
      try (var output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("one!");
        for (String text : new String[] {"two!", "1234"}) {
          Files.writeString(mounts.there().resolve("file"), text, StandardOpenOption.WRITE);
          assertThat(output.readLine()).isEqualTo(text);
        }
      }
      assertThat(process.waitFor()).isZero();
    }
  }

  @Test
  void aMappingSeesTheWritesOfAMountThatComesLater() throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, SilverMountOptions.DEFAULT)) {
      mounts.closeThere();
      Files.writeString(mounts.here().resolve("file"), "one!");
      Process process = mapping(mounts.here().resolve("file"), "one!", "two!");
      try (var output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("one!");
        mounts.mountThere();
        Files.writeString(mounts.there().resolve("file"), "two!", StandardOpenOption.WRITE);
        assertThat(output.readLine()).isEqualTo("two!");
      }
    }
  }
}
