package corfu.cli.argument;

import corfu.protocol.Address;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.smr.Follow;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts arguments from text to values. */
public final class Converters {

  private static final Pattern TIME = Pattern.compile("(-?\\d{1,9})(ms|s|m|h|)");

  private Converters() {}

  public static void register(CommandLine commands) {
    commands.registerConverter(Address.class, explained(Converters::address));
    commands.registerConverter(StreamAddress.class, explained(Converters::streamAddress));
    commands.registerConverter(StreamId.class, explained(StreamName::parseId));
    commands.registerConverter(StreamName.class, explained(StreamName::parse));
    commands.registerConverter(Endpoint.class, explained(Endpoint::parse));
    commands.registerConverter(ClusterId.class, explained(ClusterId::parse));
    commands.registerConverter(RoleName.class, explained(RoleName::parse));
    commands.registerConverter(Duration.class, explained(Converters::duration));
    commands.registerConverter(ByteCount.class, explained(ByteCount::parse));
    commands.registerConverter(Follow.class, explained(Converters::follow));
  }

  /** Keeps a parser's message: picocli shows only the messages of its own exceptions. */
  private static <T> ITypeConverter<T> explained(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  private static Address address(String text) {
    try {
      return new Address(Long.parseLong(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a log address is a number from 0 up, but this is '" + text + "'", e);
    }
  }

  private static StreamAddress streamAddress(String text) {
    try {
      return new StreamAddress(Long.parseLong(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a stream address is a number from 0 up, but this is '" + text + "'", e);
    }
  }

  private static Follow follow(String text) {
    return text.strip().equalsIgnoreCase("push") ? Follow.push() : Follow.poll(duration(text));
  }

  static Duration duration(String text) {
    var matcher = TIME.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a time is a number with ms, s, m or h behind it, but this is '" + text + "'");
    }
    long number = Long.parseLong(matcher.group(1));
    if (number < 0) {
      throw new IllegalArgumentException("a time is 0 or more, but this is '" + text + "'");
    }
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofSeconds(number);
    };
  }
}
