package corfu.proof.fuzz;

import corfu.objects.serial.Digester;
import corfu.objects.serial.InLog;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values of known classes, as the standard serializer writes them. */
final class ValuesTarget implements FuzzTarget {

  private final Serializer serializer =
      StandardSerializer.create().knowing(List.of(Point.class, Node.class, Colour.class));

  /** Sets that are elements of sets are hashed once more, which makes an iterator for each. */
  @Override
  public long allowedBytesForEach() {
    return 2_560;
  }

  /** A record. */
  record Point(int x, Optional<String> name, List<Point> others) {}

  /** A class whose instances may refer to themselves. */
  static final class Node {
    @Nullable Node next;
    Set<Node> others = new HashSet<>();
    long number;
  }

  /** An enum. */
  enum Colour {
    RED,
    GREEN
  }

  @Override
  public String name() {
    return "values";
  }

  @Override
  public List<byte[]> seeds() {
    Node node = new Node();
    node.next = node;
    node.others.add(node);
    List<Object> twice = new ArrayList<>(List.of("a", 1));
    Point point =
        new Point(1, Optional.of("p"), List.of(new Point(2, Optional.empty(), List.of())));
    return Stream.of(
            simple(),
            new Object[] {new BigInteger("-99999999999"), new BigDecimal("1.50"), new UUID(1, 2)},
            new Object[] {Instant.ofEpochSecond(5, 6), Duration.ofMillis(-7)},
            new Object[] {LocalDate.of(2025, 1, 1), URI.create("a:b"), Locale.ROOT},
            new Object[] {Currency.getInstance("EUR"), Optional.of(Optional.of(1))},
            new Object[] {
              new int[] {1, -2}, new byte[] {3}, new double[] {.5}, new boolean[] {true}
            },
            new Object[] {new String[] {"a"}, new Point[] {point}, new Object[] {1, null}},
            new Object[] {List.of(1, 2), twice, twice, new LinkedList<>(List.of(1))},
            new Object[] {new ArrayDeque<>(List.of(1)), new TreeSet<>(List.of(2, 1))},
            new Object[] {new HashSet<>(List.of("x", "y")), new LinkedHashSet<>(List.of(1))},
            new Object[] {Set.of(1), Map.of(1, 2), new HashMap<>(Map.of("k", twice))},
            new Object[] {new LinkedHashMap<>(Map.of(1, 2)), new TreeMap<>(Map.of(1, "b"))},
            new Object[] {Colour.GREEN, point, node},
            new Object[] {InLog.of(7), List.of(InLog.of("far"), "near")})
        .map(this::written)
        .toList();
  }

  private static @Nullable Object[] simple() {
    return new @Nullable Object[] {
      null, true, false, (byte) 1, (short) 2, 'c', 3, -4L, 5f, 6.0, "t"
    };
  }

  private byte[] written(@Nullable Object[] values) {
    ValueOutput out = new ValueOutput();
    serializer.write(values, out);
    return Bytes.of(out.toBuffer());
  }

  @Override
  public void run(byte[] input) {
    digest(input);
    @Nullable Object[] values;
    try {
      values = serializer.read(new ValueInput(ByteBuffer.wrap(input)));
    } catch (SerializationException refused) {
      return;
    }
    Optional<byte[]> shorter = unlessTooHeavy(() -> written(values));
    if (shorter.isEmpty()) {
      return;
    }
    byte[] written = shorter.get();
    byte[] again = written(serializer.read(new ValueInput(ByteBuffer.wrap(written))));
    if (isOrdered(input) && !Arrays.equals(written, again)) {
      throw new AssertionError(
          "written again: " + Arrays.toString(written) + ", then " + Arrays.toString(again));
    }
    digest(written);
    for (Object value : values) {
      Optional<Object> unused = unlessTooHeavy(() -> serializer.copy(value));
    }
  }

  /**
   * Returns empty if the serializer refuses the hashing effort. The allowed effort depends on the
   * number of bytes. A value may be read from many bytes, such as unused names, but be too heavy
   * for the few that it is written to.
   */
  private static <T> Optional<T> unlessTooHeavy(Supplier<T> writing) {
    try {
      return Optional.ofNullable(writing.get());
    } catch (SerializationException refused) {
      if (refused.getMessage().contains("hash without end")) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private void digest(byte[] input) {
    Digester digester = serializer.digester().orElseThrow();
    try {
      digester.add(new ValueInput(ByteBuffer.wrap(input)));
    } catch (SerializationException refused) {
      return;
    }
    Object unused = digester.digest();
  }

  /**
   * Returns whether two writes must be equal. A set has no reliable order if its elements are
   * compared by identity.
   */
  private static boolean isOrdered(byte[] input) {
    for (int i = 0; i < input.length; i++) {
      byte one = input[i];
      boolean isQueue = one == 20 && i + 1 < input.length && input[i + 1] == 3;
      if (isQueue || one == 18 || one == 19 || one == 23) { // arrays, objects with fields
        return false;
      }
    }
    return true;
  }
}
