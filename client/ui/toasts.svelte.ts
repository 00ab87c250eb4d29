/** Short notes that appear, are read out, and go. */
interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const SHOWN_MS = 3500;
const WARNING_SHOWN_MS = 6000;

class Toasts {
  list = $state<Toast[]>([]);
  private count = 0;

  show(text: string, bad = false): void {
    const id = ++this.count;
    this.list = [...this.list.filter((toast) => toast.text !== text).slice(-2), { id, text, bad }];
    setTimeout(() => this.drop(id), bad ? WARNING_SHOWN_MS : SHOWN_MS);
  }

  clear(): void {
    this.list = [];
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
