/* What HTML cannot do by itself. */
export {};
