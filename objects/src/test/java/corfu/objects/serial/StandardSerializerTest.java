package corfu.objects.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.serial.internal.Tag;
import corfu.objects.serial.internal.ValueWriter;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The standard serializer writes and reads supported values, and rejects others. */
class StandardSerializerTest {

  enum Colour {
    RED,
    GREEN {
      @Override
      int light() {
        return 2;
      }
    };

    int light() {
      return 1;
    }
  }

  record Point(int x, long y, Colour colour, List<String> names) {}

  sealed interface Shape permits Circle, Square {}

  record Circle(Point centre, double radius) implements Shape {}

  record Square(Point corner, Optional<Integer> side) implements Shape {}

  static class Node {
    String name = "none";
    Node next;
    private int count = 7;
    transient int unsaved = 5;
    Shape[] shapes = {};
  }

  static class Child extends Node {
    int count = 9; // hides another one
  }

  private static final StandardSerializer SERIALIZER = knowing(Shape.class, Child.class);

  private static StandardSerializer knowing(Type... types) {
    return StandardSerializer.create().knowing(List.of(types));
  }

  static List<Object> values() {
    Point point = new Point(-1, Long.MIN_VALUE, Colour.GREEN, List.of("a", "ü", "漢"));
    return List.of(
        true,
        (byte) -3,
        (short) 300,
        'ß',
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        -0.0f,
        Double.NaN,
        "",
        "x".repeat(10_000),
        new BigInteger("-123456789012345678901234567890"),
        new BigDecimal("1.500"),
        UUID.fromString("00000000-0000-0001-ffff-ffffffffffff"),
        Instant.parse("1969-12-31T23:59:59.123456789Z"),
        Duration.ofNanos(-1),
        LocalDate.parse("2026-02-28"),
        ZonedDateTime.parse("2026-01-01T00:00:00+01:00[Europe/Berlin]"),
        Optional.of("x"),
        Optional.empty(),
        Colour.RED,
        Colour.GREEN,
        point,
        new Circle(point, 1.5),
        new Square(point, Optional.of(2)),
        new ArrayList<>(Arrays.asList(1, null, "two")),
        Set.of(1, 2, 3),
        new TreeMap<>(Map.of("b", 1, "a", 2)),
        new LinkedHashMap<>(Map.of(point, List.of(point))));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsReadAsItWasWritten(Object value) {
    assertThat(again(value)).isEqualTo(value);
  }

  @Test
  void arraysAreReadAsTheyWereWritten() {
    Object[] arrays = {
      new byte[] {1, -1},
      new int[] {1, -1},
      new long[] {Long.MIN_VALUE},
      new double[] {0.5},
      new boolean[] {true, false},
      new char[] {'x'},
      new short[] {-5},
      new float[] {1.5f},
      new String[] {"a", null},
      new Shape[] {new Circle(new Point(0, 0, Colour.RED, List.of()), 1)},
      new int[][] {{1}, {2, 3}}
    };

    assertThat(Arrays.deepEquals((Object[]) again(arrays), arrays)).isTrue();
  }

  @Test
  void fieldsAreReadAlsoHiddenOnesAndThoseOfSuperclasses() {
    Child child = new Child();
    child.name = "child";
    child.count = 1;
    ((Node) child).count = 2;
    child.unsaved = 3;

    Child copy = (Child) again(child);

    assertThat(copy.name).isEqualTo("child");
    assertThat(copy.count).isEqualTo(1);
    assertThat(((Node) copy).count).isEqualTo(2);
    assertThat(copy.unsaved).isEqualTo(5);
  }

  @Test
  void whatIsTheSameStaysTheSame() {
    Node node = new Node();
    node.next = node;
    List<Object> both = new ArrayList<>(List.of(node, node));
    both.add(both);

    List<?> copy = (List<?>) again(both);

    assertThat(copy.get(0)).isSameAs(copy.get(1));
    assertThat(((Node) copy.get(0)).next).isSameAs(copy.get(0));
    assertThat(copy.get(2)).isSameAs(copy);
  }

  @Test
  void aClassThatNobodyNamedIsNeitherWrittenNorRead() {
    Point point = new Point(1, 2, Colour.RED, List.of());
    byte[] bytes = bytes(knowing(Point.class), point);

    assertThatThrownBy(() -> bytes(StandardSerializer.create(), point))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(Point.class.getName());
    assertThatThrownBy(() -> read(StandardSerializer.create(), bytes))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(Point.class.getName());
  }

  @Test
  void whatCantBeWrittenSaysWhatToChange() {
    record Looking(Object what) {}
    var serializer = knowing(Looking.class, Final.class, NoConstructor.class);

    assertThatThrownBy(() -> bytes(serializer, new Final("x"))).hasMessageContaining("final");
    assertThatThrownBy(() -> bytes(serializer, new NoConstructor(1)))
        .hasMessageContaining("constructor without parameters");
    assertThatThrownBy(() -> bytes(serializer, new Looking(new ArrayDeque<>(List.of(new Node())))))
        .hasMessageContaining(Node.class.getName());
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      nested = new ArrayList<>(List.of(nested));
    }
    List<Object> deep = nested;
    assertThatThrownBy(() -> bytes(serializer, deep)).hasMessageContaining("nested more than");
  }

  static class Final {
    final String text;

    Final(String text) {
      this.text = text;
    }
  }

  static class NoConstructor {
    int number;

    NoConstructor(int number) {
      this.number = number;
    }
  }

  @Test
  void damagedBytesAreRefusedAndNeverTakeMoreMemoryThanTheyAre() {
    byte[] whole = bytes(SERIALIZER, values());
    for (int length = 0; length < whole.length; length += 7) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(SERIALIZER, cut)).isInstanceOf(RuntimeException.class);
    }
    byte[] endless = {1, Tag.CONTAINER, 1, -1, -1, -1, -1, 7};
    assertThatThrownBy(() -> read(SERIALIZER, endless))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("things follow");
  }

  // -------------------------------------------------------------------------- classes that changed

  static class Old {
    record Person(String name, Node lost, int age) {}
  }

  record Person(int age, String name, Optional<String> mail, List<String> tags, long score) {}

  @Test
  void aRecordThatGainedAndLostComponentsReadsWhatWasWrittenBefore() {
    Node lost = new Node();
    lost.next = lost;
    byte[] old =
        bytes(
            knowing(Old.Person.class),
            new Old.Person("Ann", lost, 33),
            new Old.Person("Bob", lost, 44));

    Object[] read = read(knowing(Person.class), renamed(old, "$Old$Person", "$Person"));

    assertThat(read)
        .containsExactly(
            new Person(33, "Ann", Optional.empty(), List.of(), 0),
            new Person(44, "Bob", Optional.empty(), List.of(), 0));
  }

  static class Before {
    record Team(Map<String, List<String>> lost, List<String> names, Node lead) {}
  }

  record Team(List<String> names, Node lead) {}

  @Test
  void aFieldKeepsWhatItSharesWithAFieldThatTheClassHasLost() {
    List<String> names = new ArrayList<>(List.of("Ann", "Bob"));
    Map<String, List<String>> lost = new LinkedHashMap<>(Map.of("all", names));
    Node lead = new Node();
    lead.next = lead;
    byte[] old =
        bytes(
            knowing(Before.Team.class, Node.class),
            new Before.Team(lost, names, lead),
            lost,
            names,
            lead);

    Object[] read = read(knowing(Team.class, Node.class), renamed(old, "$Before$Team", "$Team"));

    Team team = (Team) read[0];
    assertThat(team.names()).isEqualTo(names).isSameAs(read[2]);
    assertThat(read[1]).isEqualTo(lost);
    assertThat(((Map<?, ?>) read[1]).get("all")).isSameAs(team.names());
    assertThat(team.lead()).isSameAs(team.lead().next).isSameAs(read[3]);
  }

  // ------------------------------------------------------------------------------- nested values

  @ParameterizedTest
  @MethodSource("innermost")
  void whatIsNestedAsDeepAsItMayBeWrittenIsRead(Object innermost) {
    List<Object> nested = new ArrayList<>(Arrays.asList(innermost));
    Object outermost = nested;
    for (int i = 1; i < ValueWriter.DEEPEST; i++) {
      outermost = i % 2 == 0 ? new ArrayList<>(List.of(outermost)) : Optional.of(outermost);
    }

    assertThat(again(outermost)).isEqualTo(outermost);
    Object tooDeep = Optional.of(outermost);
    assertThatThrownBy(() -> bytes(SERIALIZER, tooDeep)).hasMessageContaining("nested more than");
  }

  private static Stream<Object> innermost() {
    return Stream.of(1, "text", Colour.RED, UUID.randomUUID());
  }

  // -------------------------------------------------------------------------- what hashing costs

  @Test
  void whatWouldBeHashedWithoutEndIsRefusedByItsWriter() {
    List<Object> twice = new ArrayList<>(List.of("end"));
    for (int i = 0; i < 20; i++) {
      twice = new ArrayList<>(List.of(twice, twice));
    }
    List<Object> heavy = twice;

    assertThat(again(heavy)).as("nobody hashes it").isEqualTo(heavy);
    assertThatThrownBy(() -> bytes(SERIALIZER, Set.of(heavy)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("hash without end");
    assertThatThrownBy(() -> bytes(SERIALIZER, Map.of(heavy, 1)))
        .isInstanceOf(SerializationException.class);
  }

  @Test
  void oneHeavyKeyOfManyMapsIsRefusedByItsWriter() {
    List<Integer> heavy = new ArrayList<>(IntStream.range(0, 1_000).boxed().toList());
    List<Map<Object, Object>> maps = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      maps.add(new HashMap<>(Map.of(heavy, i)));
    }

    assertThatThrownBy(() -> bytes(SERIALIZER, maps)).isInstanceOf(SerializationException.class);
  }

  @Test
  void keysThatAreAsLargeAsTheyLookAreAlwaysRead() {
    Set<Object> numbers = new HashSet<>(IntStream.range(0, 2_000_000).boxed().toList());
    Set<Object> nested = new HashSet<>(Set.of(numbers));
    List<String> shared = new ArrayList<>(List.of("tenant", "of", "all", "these", "keys"));
    Map<Object, Integer> keys = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      keys.put(List.of(shared, i), i);
    }

    assertThat(again(nested)).isEqualTo(nested);
    assertThat(again(keys)).isEqualTo(keys);
  }

  /** The same bytes with the name of another class of a shorter name. */
  private static byte[] renamed(byte[] bytes, String from, String to) {
    String before = StandardSerializerTest.class.getName() + from;
    String after = StandardSerializerTest.class.getName() + to;
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    String changed = text.replace((char) before.length() + before, (char) after.length() + after);
    assertThat(changed).isNotEqualTo(text);
    return changed.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static Object again(Object value) {
    return read(SERIALIZER, bytes(SERIALIZER, value))[0];
  }

  private static byte[] bytes(Serializer serializer, Object... values) {
    ValueOutput out = new ValueOutput();
    serializer.write(values, out);
    byte[] bytes = new byte[out.size()];
    out.toBuffer().get(bytes);
    return bytes;
  }

  private static Object[] read(Serializer serializer, byte[] bytes) {
    return serializer.read(new ValueInput(ByteBuffer.wrap(bytes)));
  }
}
