package corfu.objects.processor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The classes and diagnostics that a compiler made from a source. */
final class Compiled {

  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:public |final |abstract |sealed )*(?:class|interface|record|enum) (\\w+)",
          Pattern.MULTILINE);

  private final Map<String, byte[]> classes;
  private final List<Diagnostic<? extends JavaFileObject>> diagnostics;
  private final boolean worked;

  private Compiled(
      Map<String, byte[]> classes,
      List<Diagnostic<? extends JavaFileObject>> diagnostics,
      boolean worked) {
    this.classes = classes;
    this.diagnostics = diagnostics;
    this.worked = worked;
  }

  static Compiled withProcessor(String... sources) {
    return compile(new ObjectProcessor(), List.of("-Xlint:all,-processing,-options"), sources);
  }

  static Compiled withoutProcessor(String... sources) {
    return compile(null, List.of("-proc:none"), sources);
  }

  static Compiled compile(ObjectProcessor processor, List<String> options, String... sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-parameters", "-Xmaxerrs", "1000"));
    try (var files = new Files(compiler.getStandardFileManager(said, Locale.ROOT, null))) {
      List<JavaFileObject> units = new ArrayList<>();
      for (String source : sources) {
        units.add(new Source(source));
      }
      var task = compiler.getTask(new StringWriter(), files, said, all, null, units);
      if (processor != null) {
        task.setProcessors(List.of(processor));
      }
      boolean worked = task.call();
      Map<String, byte[]> classes = new HashMap<>();
      files.made.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return new Compiled(classes, said.getDiagnostics(), worked);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  boolean worked() {
    return worked;
  }

  /** Returns the messages of the errors, without their positions. */
  List<String> errors() {
    return of(Diagnostic.Kind.ERROR).stream().map(each -> each.getMessage(Locale.ROOT)).toList();
  }

  /** Returns the source lines of the errors, stripped, in the order of the reports. */
  List<String> linesWithErrors(String source) {
    return lines(source, Diagnostic.Kind.ERROR);
  }

  List<String> lines(String source, Diagnostic.Kind kind) {
    List<String> lines = source.lines().toList();
    return of(kind).stream()
        .map(each -> lines.get((int) each.getLineNumber() - 1).strip())
        .toList();
  }

  /** Returns the diagnostics of this kind. */
  List<Diagnostic<? extends JavaFileObject>> of(Diagnostic.Kind kind) {
    List<Diagnostic<? extends JavaFileObject>> found = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> each : diagnostics) {
      if (each.getKind() == kind) {
        found.add(each);
      }
    }
    return found;
  }

  List<Diagnostic<? extends JavaFileObject>> diagnostics() {
    return diagnostics;
  }

  boolean has(String className) {
    return classes.containsKey(className);
  }

  /** Loads a class in a new class loader, with all classes that were compiled with it. */
  Class<?> load(String name) {
    if (!worked) {
      throw new AssertionError("does not compile: " + diagnostics);
    }
    try {
      return new Loader(classes).loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(Map<String, byte[]> classes) {
      super(Compiled.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(
          URI.create("string:///" + nameIn(text).replace('.', '/') + Kind.SOURCE.extension),
          Kind.SOURCE);
      this.text = text;
    }

    private static String nameIn(String text) {
      Matcher inPackage = PACKAGE.matcher(text);
      Matcher type = TYPE.matcher(text);
      if (!type.find()) {
        throw new AssertionError("no class in " + text);
      }
      return (inPackage.find() ? inPackage.group(1) + "." : "") + type.group(1);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  /** Keeps compiled classes in memory. */
  private static final class Files extends ForwardingJavaFileManager<StandardJavaFileManager> {
    final Map<String, ByteArrayOutputStream> made = new HashMap<>();

    Files(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String name,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      URI uri = URI.create("memory:///" + name.replace('.', '/') + kind.extension);
      return new SimpleJavaFileObject(uri, kind) {
        private final StringWriter text = new StringWriter();

        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          made.put(name, bytes);
          return bytes;
        }

        @Override
        public java.io.Writer openWriter() {
          return text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
          return text.toString();
        }
      };
    }
  }
}
