package corfu.objects.processor;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/** Knows the methods and constructors whose result differs between calls or machines. */
final class NondeterminismCheck {

  /**
   * Classes whose constructors and static methods are refused. Their instance methods need no
   * check, because an instance comes from one of these.
   */
  private static final Set<String> CLASSES =
      Set.of(
          "java.lang.ProcessHandle",
          "java.lang.Runtime",
          "java.lang.Thread",
          "java.net.InetAddress",
          "java.nio.file.Files",
          "java.security.SecureRandom",
          "java.util.concurrent.ThreadLocalRandom");

  private static final Map<String, Set<String>> METHODS =
      Map.ofEntries(
          Map.entry(
              "java.lang.System",
              Set.of(
                  "currentTimeMillis",
                  "getProperties",
                  "getProperty",
                  "getenv",
                  "identityHashCode",
                  "nanoTime")),
          Map.entry("java.lang.Enum", Set.of("hashCode")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.lang.StrictMath", Set.of("random")),
          Map.entry("java.nio.charset.Charset", Set.of("defaultCharset")),
          Map.entry("java.time.Clock", Set.of("system", "systemDefaultZone", "systemUTC")),
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDate", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.LocalTime", Set.of("now")),
          Map.entry("java.time.MonthDay", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.time.OffsetTime", Set.of("now")),
          Map.entry("java.time.Year", Set.of("now")),
          Map.entry("java.time.YearMonth", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")),
          Map.entry("java.time.ZoneId", Set.of("systemDefault")),
          Map.entry("java.util.Calendar", Set.of("getInstance")),
          Map.entry("java.util.Locale", Set.of("getDefault")),
          Map.entry("java.util.TimeZone", Set.of("getDefault")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.random.RandomGenerator", Set.of("getDefault", "of")));

  /**
   * Constructors that are refused without parameters: their seed or time differs from call to call.
   */
  private static final Set<String> CONSTRUCTORS =
      Set.of("java.util.Date", "java.util.Random", "java.util.SplittableRandom");

  private NondeterminismCheck() {}

  /**
   * Returns the name of the method or constructor if its result differs, or empty if it does not.
   */
  static Optional<String> in(ExecutableElement called) {
    TypeElement owner = Model.classOf(called);
    String type = owner.getQualifiedName().toString();
    String simple = owner.getSimpleName().toString();
    if (called.getKind() == ElementKind.CONSTRUCTOR) {
      boolean isSeedless = CONSTRUCTORS.contains(type) && called.getParameters().isEmpty();
      return isSeedless || CLASSES.contains(type)
          ? Optional.of("new %s()".formatted(simple))
          : Optional.empty();
    }
    String name = called.getSimpleName().toString();
    boolean isShuffle =
        type.equals("java.util.Collections")
            && name.equals("shuffle")
            && called.getParameters().size() == 1;
    boolean isStatic = Model.is(called, Modifier.STATIC);
    return isShuffle
            || (isStatic && CLASSES.contains(type))
            || METHODS.getOrDefault(type, Set.of()).contains(name)
        ? Optional.of("%s.%s".formatted(simple, name))
        : Optional.empty();
  }
}
