package corfu.proof.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The stored inputs of a target.
 *
 * <pre>
 *   src/test/resources/corpus/TARGET.zip      inputs that cover most code, found by long runs
 *   src/test/resources/findings/TARGET/NAME   inputs that once failed, and must not fail again
 * </pre>
 */
final class Corpus {

  private static final Path RESOURCES = Checkout.root().resolve("proof/src/test/resources");

  private Corpus() {}

  /** An input and its name. */
  record Input(String name, byte[] bytes) {
    @Override
    public String toString() {
      return name + ", " + bytes.length + " bytes";
    }
  }

  /**
   * Returns the seeds, the inputs that long runs have found to cover something, and those that once
   * failed.
   */
  static List<Input> of(FuzzTarget target) {
    List<Input> all = new ArrayList<>();
    for (byte[] seed : target.seeds()) {
      all.add(new Input("seed " + all.size(), seed));
    }
    all.addAll(zipped(zipOf(target)));
    all.addAll(filesIn(RESOURCES.resolve("findings").resolve(target.name())));
    return all;
  }

  private static Path zipOf(FuzzTarget target) {
    return RESOURCES.resolve("corpus").resolve(target.name() + ".zip");
  }

  private static List<Input> zipped(Path file) {
    List<Input> inputs = new ArrayList<>();
    if (Files.exists(file)) {
      try (InputStream bytes = new ByteArrayInputStream(Files.readAllBytes(file));
          ZipInputStream zip = new ZipInputStream(bytes)) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          inputs.add(new Input(entry.getName(), zip.readAllBytes()));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return inputs;
  }

  static List<Input> filesIn(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<Input> inputs = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        inputs.add(new Input(file.getFileName().toString(), Files.readAllBytes(file)));
      }
      return inputs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes inputs to a directory, each to a file named by its content. */
  static void spread(List<byte[]> inputs, Path directory) {
    try {
      Files.createDirectories(directory);
      for (byte[] input : inputs) {
        Files.write(directory.resolve(nameOf(input)), input);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the stored inputs of a target by those in the directory. */
  static void keep(FuzzTarget target, Path directory) {
    Path file = zipOf(target);
    try {
      Files.createDirectories(file.getParent());
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
        for (Input input : filesIn(directory)) {
          ZipEntry entry = new ZipEntry(input.name());
          entry.setTime(0); // makes equal inputs an equal file
          zip.putNextEntry(entry);
          zip.write(input.bytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(byte[] input) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
