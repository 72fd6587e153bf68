package corfu.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A line of JSON from a benchmark: names with numbers, texts, or nested results. */
final class Result {

  private static final JsonFactory JSON = new JsonFactory();

  private final Map<String, Object> values;

  private Result(Map<String, Object> values) {
    this.values = values;
  }

  /**
   * Parses a line.
   *
   * @throws UncheckedIOException if the line is not a JSON object
   */
  static Result parse(String line) {
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object: " + line);
      }
      return new Result(object(parser));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> read = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      read.put(name, value(parser));
    }
    return read;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> new Result(object(parser));
      case START_ARRAY -> {
        List<Object> all = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          all.add(value(parser));
        }
        yield all;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> parser.getText();
    };
  }

  /** Returns the names of the benchmark and its part, such as "append" or "streams/read". */
  String benchmark() {
    return text("benchmark");
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns a text, or an empty text if there is none. */
  String text(String name) {
    return String.valueOf(values.getOrDefault(name, ""));
  }

  OptionalDouble number(String name) {
    return values.get(name) instanceof Double number
        ? OptionalDouble.of(number)
        : OptionalDouble.empty();
  }

  /** Returns a required number. */
  double get(String name) {
    return number(name)
        .orElseThrow(() -> new IllegalStateException(benchmark() + " has no number " + name));
  }

  /** Returns the nested results of an array, such as the limits of a figure. */
  List<Result> all(String name) {
    List<Result> found = new ArrayList<>();
    if (values.get(name) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Result result) {
          found.add(result);
        }
      }
    }
    return found;
  }

  /** Returns the numbers of an array, or none if there is no such array. */
  double[] array(String name) {
    return values.get(name) instanceof List<?> list
        ? list.stream().mapToDouble(each -> (Double) each).toArray()
        : new double[0];
  }

  /** Returns the nested result of this name, or an empty result if there is none. */
  Result inner(String name) {
    return values.get(name) instanceof Result result ? result : new Result(Map.of());
  }

  /** Returns the numbers by name, in their order. */
  Map<String, Double> numbers() {
    Map<String, Double> found = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value instanceof Double number) {
            found.put(name, number);
          }
        });
    return found;
  }
}
