package corfu.silver.ship;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;

/**
 * The content of archives beyond the fields of tar, in extended headers:
 *
 * <pre>
 *   LIBARCHIVE.xattr.NAME   an extended attribute, in base64; the name is URL-encoded
 *   CORFU.path              the path in base64, if its bytes are not UTF-8
 *   CORFU.target            the target of a symbolic link in base64, if its bytes are not UTF-8
 *   CORFU.mtime             the time of the last change of the data, as seconds and nanoseconds
 *   CORFU.atime             the time of the last read
 *   GNU.sparse.*            a file of less than 2 GiB with holes, in GNU's format 1.0
 *   CORFU.size              the size of a larger file with holes, in the same format otherwise
 * </pre>
 *
 * Other programs take the last one for a file whose data has no holes: the library that reads
 * archives refuses larger numbers in GNU's headers.
 */
final class ArchiveFormat {

  static final String ATTRIBUTE = "LIBARCHIVE.xattr.";
  static final String PATH = "CORFU.path";
  static final String TARGET = "CORFU.target";
  static final String MODIFIED = "CORFU.mtime";
  static final String READ = "CORFU.atime";
  static final String LARGE_SIZE = "CORFU.size";
  static final String SPARSE_MAJOR = "GNU.sparse.major";
  static final String SPARSE_MINOR = "GNU.sparse.minor";
  static final String SPARSE_NAME = "GNU.sparse.name";
  static final String SPARSE_SIZE = "GNU.sparse.realsize";

  /** The size of a block of an archive in bytes. */
  static final int BLOCK_BYTES = 512;

  private static final int DECIMAL = 10;

  private ArchiveFormat() {}

  /** Returns the text of a path, which has a replacement for each byte that is not UTF-8. */
  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  static boolean isText(byte[] bytes) {
    return Arrays.equals(text(bytes).getBytes(UTF_8), bytes);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * Returns bytes of an extended header.
   *
   * @throws IllegalArgumentException if the text is not base64
   */
  static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  /** Returns the key of an extended attribute. */
  static String attribute(FileName name) {
    return ATTRIBUTE + URLEncoder.encode(new String(name.bytes(), ISO_8859_1), ISO_8859_1);
  }

  /**
   * Returns the extended attributes of an entry.
   *
   * @throws IllegalArgumentException if one of them is malformed
   */
  static Map<FileName, byte[]> attributes(TarArchiveEntry entry) {
    Map<FileName, byte[]> attributes = new HashMap<>();
    entry
        .getExtraPaxHeaders()
        .forEach(
            (key, value) -> {
              if (key.startsWith(ATTRIBUTE)) {
                String name = URLDecoder.decode(key.substring(ATTRIBUTE.length()), ISO_8859_1);
                attributes.put(FileName.of(name.getBytes(ISO_8859_1)), bytes(value));
              }
            });
    return attributes;
  }

  /** Returns a time for a field of tar, which has whole seconds. */
  static FileTime time(Timestamp time) {
    return FileTime.from(time.seconds(), TimeUnit.SECONDS);
  }

  static String exact(Timestamp time) {
    return time.seconds() + " " + time.nanos();
  }

  /**
   * Returns a time of an entry, which another program may have written.
   *
   * @param key the extended header with the exact time
   * @throws IllegalArgumentException if it is malformed
   */
  static Timestamp time(TarArchiveEntry entry, String key) {
    String exact = entry.getExtraPaxHeader(key);
    if (exact == null) {
      return new Timestamp(entry.getLastModifiedTime().to(TimeUnit.SECONDS), 0);
    }
    int space = exact.indexOf(' ');
    return new Timestamp(
        Long.parseLong(exact, 0, Math.max(0, space), DECIMAL),
        Integer.parseInt(exact, space + 1, exact.length(), DECIMAL));
  }

  /** Returns extended headers as tar has them: each line begins with its length in bytes. */
  static byte[] encoded(Map<String, String> headers) {
    var out = new ByteArrayOutputStream();
    headers.forEach(
        (key, value) -> {
          byte[] line = (" " + key + "=" + value + "\n").getBytes(UTF_8);
          int length = line.length + Integer.toString(line.length).length();
          if (length < line.length + Integer.toString(length).length()) {
            length++; // the length has one digit more
          }
          out.writeBytes(Integer.toString(length).getBytes(UTF_8));
          out.writeBytes(line);
        });
    return out.toByteArray();
  }

  /** A range of a file that is not a hole. */
  record Range(long offset, long length) {}

  /**
   * Returns the list of ranges that precedes the data of a file with holes, in whole blocks. As in
   * GNU's archives, a file that ends with a hole has an empty range at its end.
   */
  static byte[] sparseMap(List<Range> ranges, long size) {
    List<Range> all = new ArrayList<>(ranges);
    if (ranges.isEmpty() || ranges.getLast().offset() + ranges.getLast().length() < size) {
      all.add(new Range(size, 0));
    }
    var text = new StringBuilder().append(all.size()).append('\n');
    for (Range range : all) {
      text.append(range.offset()).append('\n').append(range.length()).append('\n');
    }
    int bytes = Math.ceilDiv(text.length(), BLOCK_BYTES) * BLOCK_BYTES;
    return Arrays.copyOf(text.toString().getBytes(UTF_8), bytes);
  }

  /**
   * Reads the list of ranges of a large file.
   *
   * @throws IOException if it is malformed
   */
  static List<Range> readSparseMap(InputStream in, long size) throws IOException {
    var numbers = new MapNumbers(in);
    long count = numbers.next();
    List<Range> ranges = new ArrayList<>();
    long at = 0;
    for (long i = 0; i < count; i++) {
      var range = new Range(numbers.next(), numbers.next());
      if (range.offset() < at || range.length() < 0 || range.offset() > size - range.length()) {
        throw new IOException(
            "the archive is damaged: %s does not fit into a file of %d bytes behind offset %d"
                .formatted(range, size, at));
      }
      at = range.offset() + range.length();
      ranges.add(range);
    }
    numbers.skipToBlock();
    return ranges;
  }

  /** The numbers at the beginning of a file with holes, one a line. */
  private static final class MapNumbers {
    private static final int MOST_DIGITS = 19;

    private final InputStream in;
    private long bytes;

    MapNumbers(InputStream in) {
      this.in = in;
    }

    long next() throws IOException {
      long number = 0;
      for (int digits = 0; digits <= MOST_DIGITS; digits++) {
        int each = in.read();
        bytes++;
        if (each == '\n' && digits > 0) {
          return number;
        }
        if (each < '0' || each > '9') {
          break;
        }
        number = number * DECIMAL + (each - '0');
      }
      throw new IOException("the archive is damaged: the list of holes has no number");
    }

    void skipToBlock() throws IOException {
      in.skipNBytes(Math.floorMod(-bytes, BLOCK_BYTES));
    }
  }
}
